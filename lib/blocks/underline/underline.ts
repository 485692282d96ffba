import type { MarkDefinition } from '../definitions.ts'

export const underline: MarkDefinition = {
  name: 'underline',
  schema: {
    parseDOM: [
      { tag: 'u' },
      { style: 'text-decoration', consuming: false, getAttrs: (style) => style.includes('underline') && {} },
    ],
    toDOM: () => ['u', 0],
  },
  strings: { kind: 'underline', name: 'Underline' },
}
