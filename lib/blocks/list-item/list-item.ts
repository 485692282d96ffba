import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

export const listItem: NodeDefinition = {
  name: 'listItem',
  schema: {
    content: 'paragraph block*',
    defining: true,
    parseDOM: [{ tag: 'li' }],
    toDOM: () => ['li', ownDirection, 0],
  },
  strings: { kind: () => 'item' },
  sign: () => '•',
}
