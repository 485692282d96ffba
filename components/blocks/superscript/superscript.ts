import { superscript as definition } from '@/lib/blocks/superscript/superscript.ts'
import { type EditorBlock, type Format, isOn } from '../editor-block.ts'
import { markExtension } from '../mark-block.ts'

export const superscript: EditorBlock = { extension: markExtension(definition) }

export const superscriptFormat: Format = {
  name: definition.strings.name,
  keys: 'Mod+.',
  // Tiptap sets no mark that one of the letters excludes.
  run: (chain) => chain.unsetMark('subscript').toggleMark(definition.name),
  isOn: isOn(definition.name),
}
