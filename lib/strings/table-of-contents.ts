import { plural } from './plural.ts'

/** A table of contents in the text. */
export const tableOfContentsStrings = {
  empty: 'Headings of this document are listed here.',
  untitled: 'Heading without text',
  more: (count: number) => `and ${plural(count, 'more heading')}`,
  tooMany: 'The headings are listed in the tables of contents above.',
} as const
