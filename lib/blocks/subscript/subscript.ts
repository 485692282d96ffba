import type { MarkDefinition } from '../definitions.ts'

export const subscript: MarkDefinition = {
  name: 'subscript',
  schema: {
    excludes: 'subscript superscript',
    parseDOM: [{ tag: 'sub' }, { style: 'vertical-align=sub' }],
    toDOM: () => ['sub', 0],
  },
  strings: { kind: 'subscript', name: 'Subscript' },
}
