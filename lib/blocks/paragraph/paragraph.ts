import { alignedKind, alignmentAttribute, alignmentFields, alignmentIn } from '../alignment.ts'
import type { NodeDefinition } from '../definitions.ts'

export const paragraph: NodeDefinition = {
  name: 'paragraph',
  schema: {
    content: 'inline*',
    group: 'block',
    attrs: { align: alignmentAttribute },
    parseDOM: [{ tag: 'p', getAttrs: (element) => ({ align: alignmentIn(element) }) }],
    toDOM: ({ attrs }) => ['p', alignmentFields(attrs), 0],
  },
  strings: {
    kind: (attributes) => alignedKind('paragraph', attributes),
    name: 'Text',
    words: 'paragraph plain normal',
  },
}
