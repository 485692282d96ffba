import type { MarkDefinition } from '../definitions.ts'

export const superscript: MarkDefinition = {
  name: 'superscript',
  schema: {
    excludes: 'superscript subscript',
    parseDOM: [{ tag: 'sup' }, { style: 'vertical-align=super' }],
    toDOM: () => ['sup', 0],
  },
  strings: { kind: 'superscript', name: 'Superscript' },
}
