/** Sets the lines of the selected paragraphs and headings, and places pictures, with the keys of other word processors. */
import type { Alignment } from '@/lib/blocks/alignment.ts'
import { heading } from '@/lib/blocks/heading/heading.ts'
import { paragraph } from '@/lib/blocks/paragraph/paragraph.ts'
import { picture } from '@/lib/blocks/picture/picture.ts'
import { editorStrings } from '@/lib/strings/editor.ts'
import type { Format, FormatGroup } from '../editor-block.ts'

const alignmentFormat = (name: string, keys: string, align: Alignment | null): Format => ({
  name,
  keys,
  run: (chain) =>
    [paragraph, heading, picture].reduce(
      (steps, block) => steps.updateAttributes(block.name, { align }),
      chain,
    ),
  isOn: (editor) => editor.isActive({ align }),
})

const names = editorStrings.formats

export const alignmentFormats: FormatGroup = {
  name: names.alignment,
  formats: [
    alignmentFormat(names.start, 'Mod+Shift+L', null),
    alignmentFormat(names.center, 'Mod+Shift+E', 'center'),
    alignmentFormat(names.end, 'Mod+Shift+R', 'end'),
    alignmentFormat(names.justify, 'Mod+Shift+J', 'justify'),
  ],
}
