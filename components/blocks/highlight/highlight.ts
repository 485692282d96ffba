import {
  highlight as definition,
  highlightColorOf,
  highlightColors,
} from '@/lib/blocks/highlight/highlight.ts'
import { editorStrings } from '@/lib/strings/editor.ts'
import type { EditorBlock, Format, FormatGroup } from '../editor-block.ts'
import { markExtension } from '../mark-block.ts'

export const highlight: EditorBlock = {
  extension: markExtension(definition, { typed: [/(?:^|\s)(==((?=\S)[^=]+(?<=\S))==)$/] }),
}

/** A second time it takes the colour away; another colour replaces it. */
function highlightFormat(color: string): Format {
  const attributes = { color: highlightColorOf({ color }) }
  return {
    name: editorStrings.formats.highlightIn(color),
    look: `highlight-${color}`,
    run: (chain) => chain.toggleMark(definition.name, attributes),
    isOn: (editor) => editor.isActive(definition.name, attributes),
  }
}

const [first, ...others] = highlightColors.map(highlightFormat) as [Format, ...Format[]]

export const highlightFormats: FormatGroup = {
  name: definition.strings.name,
  formats: [{ ...first, keys: 'Mod+Shift+H' }, ...others],
}
