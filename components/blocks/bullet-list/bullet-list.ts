import { List } from 'lucide-react'
import { bulletList as definition } from '@/lib/blocks/bullet-list/bullet-list.ts'
import { listBlock } from '../list-block.ts'

export const bulletList = listBlock(definition, {
  item: 'listItem',
  keys: 'Mod+Shift+8',
  Icon: List,
  typed: { find: /^\s*([-+*])\s$/ },
})
