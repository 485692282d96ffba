/** What a file may hold. All is counted, so that the same file is refused on every machine. */

/** In UTF-16 units: a text of so many takes a Markdown parser some seconds, and a book has a fourth of it. */
export const MAX_LETTERS = 4_000_000
/** Of what is parsed at once, letter by letter: names of blocks and attributes count, too. */
export const MAX_JSON_LETTERS = 24_000_000

/** Blocks and runs of letters: each takes some hundred bytes in a document, of which there are at most 256 MiB. */
export const MAX_NODES = 300_000

/** Of a title, in UTF-16 units. */
export const MAX_TITLE_LETTERS = 300
