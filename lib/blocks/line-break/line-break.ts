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
  markdown: {
    readInline: {
      break: () => [{ type: 'hardBreak' }],
      html: ({ value }) => (/^<br\s*\/?>$/i.test(value) ? [{ type: 'hardBreak' }] : null),
    },
  },
}
