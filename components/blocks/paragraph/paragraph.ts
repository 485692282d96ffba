import { Node } from '@tiptap/core'
import { Pilcrow } from 'lucide-react'
import { paragraph as definition } from '@/lib/blocks/paragraph/paragraph.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'

const extension = Node.create({
  ...nodeFields(definition),
  // Before all others: what Tiptap creates without a name is the first block.
  priority: 1000,
  addKeyboardShortcuts() {
    return { 'Mod-Alt-0': () => this.editor.commands.setNode(this.name) }
  },
})

export const paragraph: EditorBlock = {
  extension,
  lineStyles: [
    {
      id: '0',
      name: definition.strings.name!,
      words: definition.strings.words!,
      keys: 'Mod+Alt+0',
      Icon: Pilcrow,
      look: '',
      run: (chain) => chain.setNode(definition.name),
    },
  ],
}
