import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

export const blockquote: NodeDefinition = {
  name: 'blockquote',
  schema: {
    content: 'block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', ownDirection, 0],
  },
  strings: { kind: () => 'quote', name: 'Quote', words: 'citation cite' },
  sign: () => '❝',
}
