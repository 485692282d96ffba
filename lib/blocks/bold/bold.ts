import type { MarkDefinition } from '../definitions.ts'

export const bold: MarkDefinition = {
  name: 'bold',
  schema: {
    parseDOM: [
      { tag: 'strong' },
      { tag: 'b', getAttrs: ({ style }) => style.fontWeight !== 'normal' && null },
      { style: 'font-weight=400', clearMark: ({ type }) => type.name === 'bold' },
      { style: 'font-weight', getAttrs: (weight) => /^(?:bold(?:er)?|[5-9]\d{2,})$/.test(weight) && null },
    ],
    toDOM: () => ['strong', 0],
  },
  strings: { kind: 'bold', name: 'Bold' },
}
