import { ListOrdered } from 'lucide-react'
import { orderedList as definition } from '@/lib/blocks/ordered-list/ordered-list.ts'
import { listBlock } from '../list-block.ts'

export const orderedList = listBlock(definition, {
  item: 'listItem',
  keys: 'Mod+Shift+7',
  Icon: ListOrdered,
  typed: {
    find: /^(\d+)\.\s$/,
    getAttributes: ([, number]) => ({ start: Number(number) }),
    joinPredicate: ([, number], { attrs: { type, start }, childCount }) =>
      (!type || type === '1') && childCount + Number(start) === Number(number),
  },
})
