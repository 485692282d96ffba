import { Node } from '@tiptap/core'
import { mention as definition } from '@/lib/blocks/mention/mention.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

export const mention: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./mention-view.ts'),
}
