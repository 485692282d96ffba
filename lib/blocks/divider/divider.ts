import type { NodeDefinition } from '../definitions.ts'

export const divider: NodeDefinition = {
  name: 'horizontalRule',
  schema: {
    group: 'block',
    parseDOM: [{ tag: 'hr' }],
    toDOM: () => ['hr'],
  },
  strings: { kind: () => 'divider', name: 'Divider', words: 'hr rule line separator' },
}
