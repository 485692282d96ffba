import { subscript as definition } from '@/lib/blocks/subscript/subscript.ts'
import { type EditorBlock, type Format, isOn } from '../editor-block.ts'
import { markExtension } from '../mark-block.ts'

export const subscript: EditorBlock = { extension: markExtension(definition) }

export const subscriptFormat: Format = {
  name: definition.strings.name,
  keys: 'Mod+Shift+.',
  // Tiptap sets no mark that one of the letters excludes.
  run: (chain) => chain.unsetMark('superscript').toggleMark(definition.name),
  isOn: isOn(definition.name),
}
