import type { MarkDefinition } from '../definitions.ts'

export const italic: MarkDefinition = {
  name: 'italic',
  schema: {
    parseDOM: [
      { tag: 'em' },
      { tag: 'i', getAttrs: ({ style }) => style.fontStyle !== 'normal' && null },
      { style: 'font-style=normal', clearMark: ({ type }) => type.name === 'italic' },
      { style: 'font-style=italic' },
    ],
    toDOM: () => ['em', 0],
  },
  strings: { kind: 'italic', name: 'Italic' },
}
