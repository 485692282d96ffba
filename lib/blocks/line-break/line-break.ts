import type { NodeDefinition } from '../definitions.ts'

export const lineBreak: NodeDefinition = {
  name: 'hardBreak',
  schema: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  strings: { kind: () => 'line break' },
  text: '\n',
}
