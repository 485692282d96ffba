import type { MarkDefinition } from '../definitions.ts'

export const code: MarkDefinition = {
  name: 'code',
  schema: {
    // Code has no other marks.
    excludes: '_',
    code: true,
    parseDOM: [{ tag: 'code' }],
    toDOM: () => ['code', 0],
  },
  strings: { kind: 'code', name: 'Code' },
}
