import type { NodeDefinition } from '../definitions.ts'

/** Stores nothing but itself: its view lists the headings of the document. */
export const tableOfContents: NodeDefinition = {
  name: 'tableOfContents',
  schema: {
    group: 'block',
    parseDOM: [{ tag: 'nav[data-contents]' }],
    toDOM: () => ['nav', { class: 'table-of-contents', 'data-contents': '' }],
  },
  strings: { kind: () => 'table of contents' },
  sign: () => '≡',
}
