import { alignedKind, alignmentAttribute, alignmentFields, alignmentIn } from '../alignment.ts'
import type { NodeDefinition, StoredAttributes } from '../definitions.ts'
import { ownDirection } from '../own-direction.ts'

/** Returns 1 to 6. */
export function headingLevelOf({ level }: StoredAttributes): number {
  // An array 10,000 deep is no number, and reading it as one would overflow the stack.
  const number = typeof level === 'object' ? 0 : Number(level)
  return Number.isInteger(number) && number >= 1 ? Math.min(number, 6) : 1
}

export const headingName = (level: number): string => `Heading ${level}`

export const heading: NodeDefinition = {
  name: 'heading',
  schema: {
    content: 'inline*',
    group: 'block',
    defining: true,
    attrs: { level: { default: 1 }, align: alignmentAttribute },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
      tag: `h${level}`,
      getAttrs: (element) => ({ level, align: alignmentIn(element) }),
    })),
    toDOM: ({ attrs }) => [`h${headingLevelOf(attrs)}`, { ...ownDirection, ...alignmentFields(attrs) }, 0],
  },
  strings: { kind: (attributes) => alignedKind(`heading ${headingLevelOf(attributes)}`, attributes) },
  headingLevel: headingLevelOf,
}
