import type { MarkDefinition } from '../definitions.ts'

export const strike: MarkDefinition = {
  name: 'strike',
  schema: {
    parseDOM: [
      { tag: 's' },
      { tag: 'del' },
      { tag: 'strike' },
      {
        style: 'text-decoration',
        consuming: false,
        getAttrs: (style) => style.includes('line-through') && {},
      },
    ],
    toDOM: () => ['s', 0],
  },
  strings: { kind: 'struck through', name: 'Strikethrough' },
}
