import { listItem as definition } from '@/lib/blocks/list-item/list-item.ts'
import type { EditorBlock } from '../editor-block.ts'
import { itemBlock } from '../item-block.ts'

export const listItem: EditorBlock = { extension: itemBlock(definition) }
