/** A line that shows and hides the blocks below it. Whether they are shown is each reader's own, and not in the text. */
import type { NodeDefinition } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

export const toggle: NodeDefinition = {
  name: 'toggle',
  schema: {
    content: 'toggleSummary block+',
    group: 'block',
    defining: true,
    parseDOM: [{ tag: 'details' }],
    toDOM: () => ['details', ownDirection, 0],
  },
  strings: { kind: () => 'toggle', name: 'Toggle' },
  sign: () => '▸',
}

export const toggleSummary: NodeDefinition = {
  name: 'toggleSummary',
  schema: {
    content: 'inline*',
    defining: true,
    parseDOM: [{ tag: 'summary' }],
    toDOM: () => ['summary', 0],
  },
  strings: { kind: () => 'summary' },
}
