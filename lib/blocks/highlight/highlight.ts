import type { MarkDefinition, StoredAttributes } from '../definitions.ts'

/** Yellow is stored as no colour: it is what other programs mean by a highlight. */
export const highlightColors = ['yellow', 'green', 'blue', 'pink'] as const
export type HighlightColor = (typeof highlightColors)[number]

const isStoredColor = (color: unknown): color is HighlightColor =>
  highlightColors.includes(color as HighlightColor) && color !== 'yellow'

/** Null for yellow. Any other value could be a colour in which the letters cannot be read. */
export const highlightColorOf = ({ color }: StoredAttributes): HighlightColor | null =>
  isStoredColor(color) ? color : null

export const highlight: MarkDefinition = {
  name: 'highlight',
  schema: {
    attrs: {
      color: {
        default: null,
        validate(color: unknown) {
          if (color !== null && !isStoredColor(color)) throw new RangeError('not a colour of a highlight')
        },
      },
    },
    parseDOM: [
      { tag: 'mark', getAttrs: ({ dataset }) => ({ color: highlightColorOf({ color: dataset.color }) }) },
    ],
    toDOM({ attrs }) {
      const color = highlightColorOf(attrs)
      return color === null ? ['mark', 0] : ['mark', { 'data-color': color }, 0]
    },
  },
  strings: { kind: 'highlighted', name: 'Highlight' },
}
