import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

/** The line below a picture, and the name on a card. */
export const caption: NodeDefinition = {
  name: 'caption',
  schema: {
    content: 'inline*',
    defining: true,
    parseDOM: [{ tag: 'div[data-caption]' }],
    toDOM: () => ['div', { ...ownDirection, 'data-caption': '' }, 0],
  },
  strings: { kind: () => 'caption' },
}
