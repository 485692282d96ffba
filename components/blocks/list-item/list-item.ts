import { ListItem } from '@tiptap/extension-list/item'
import { listItem as definition } from '@/lib/blocks/list-item/list-item.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = ListItem.extend(nodeFields(definition))

export const listItem: EditorBlock = { extension }
