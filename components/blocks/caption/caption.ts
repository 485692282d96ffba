import { type Command, Extension, Node } from '@tiptap/core'
import { caption as definition } from '@/lib/blocks/caption/caption.ts'
import type { EditorBlock } from '../editor-block.ts'
import { nodeFields } from '../schema-fields.ts'
import { leaveCaption, selectBlockOfCaption, stayInCaption } from './caption-keys.ts'

const CaptionKeys = Extension.create({
  name: 'captionKeys',
  // Runs before the keys of lists and of the text.
  priority: 110,
  addKeyboardShortcuts() {
    const run = (command: Command) => () => this.editor.commands.command(command)
    const [backspace, deleteForward] = [run(selectBlockOfCaption), run(stayInCaption)]
    return {
      Enter: run(leaveCaption),
      Backspace: backspace,
      'Mod-Backspace': backspace,
      'Alt-Backspace': backspace,
      Delete: deleteForward,
      'Mod-Delete': deleteForward,
      'Alt-Delete': deleteForward,
    }
  },
})

export const caption: EditorBlock = {
  extension: Node.create({ ...nodeFields(definition), addExtensions: () => [CaptionKeys] }),
}
