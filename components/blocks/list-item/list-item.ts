import { ListItem } from '@tiptap/extension-list/item'
import { listItem as definition } from '@/lib/blocks/list-item/list-item.ts'
import { nodeFields } from '../schema-fields.ts'

export const listItem = ListItem.extend(nodeFields(definition))
