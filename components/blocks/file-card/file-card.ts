import { Node } from '@tiptap/core'
import { Paperclip } from 'lucide-react'
import { fileCard as definition } from '@/lib/blocks/file-card/file-card.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

export const fileCard: EditorBlock = {
  extension: Node.create(nodeFields(definition)),
  view: () => import('./file-card-view.ts'),
  menuItems: [
    {
      name: blockItemsStrings.file.name,
      words: blockItemsStrings.file.words,
      Icon: Paperclip,
      run: (chain) => chain.chooseFiles(),
    },
  ],
}
