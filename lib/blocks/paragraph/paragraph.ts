import type { NodeDefinition } from '../definitions.ts'

export const paragraph: NodeDefinition = {
  name: 'paragraph',
  schema: {
    content: 'inline*',
    group: 'block',
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', 0],
  },
}
