import { Node } from '@tiptap/core'
import { paragraph as definition } from '@/lib/blocks/paragraph/paragraph.ts'
import { nodeFields } from '../schema-fields.ts'

export const paragraph = Node.create({
  ...nodeFields(definition),
  // Before all others: what Tiptap creates without a name is the first block.
  priority: 1000,
  addKeyboardShortcuts() {
    return { 'Mod-Alt-0': () => this.editor.commands.setNode(this.name) }
  },
})
