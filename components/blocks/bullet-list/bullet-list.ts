import { bulletList as definition } from '@/lib/blocks/bullet-list/bullet-list.ts'
import { listExtension } from '../list-extension.ts'

export const bulletList = listExtension(definition, {
  item: 'listItem',
  keys: 'Mod-Shift-8',
  typed: { find: /^\s*([-+*])\s$/ },
})
