import { orderedList as definition } from '@/lib/blocks/ordered-list/ordered-list.ts'
import { listExtension } from '../list-extension.ts'

export const orderedList = listExtension(definition, {
  item: 'listItem',
  keys: 'Mod-Shift-7',
  typed: {
    find: /^(\d+)\.\s$/,
    getAttributes: ([, number]) => ({ start: Number(number) }),
    joinPredicate: ([, number], { attrs: { type, start }, childCount }) =>
      (!type || type === '1') && childCount + Number(start) === Number(number),
  },
})
