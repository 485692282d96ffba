import type { NodeDefinition } from '../definitions.ts'

export const lineBreak: NodeDefinition = {
  name: 'hardBreak',
  schema: {
    inline: true,
    group: 'inline',
    selectable: false,
    linebreakReplacement: true,
    leafText: () => '\n',
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
}
