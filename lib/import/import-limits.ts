/** What a file may hold. All is counted, so that the same file is refused on every machine. */

/** In UTF-16 units: a book. */
export const MAX_MARKUP_LETTERS = 1_000_000
/** Of a page with the pictures that stand in it as letters. */
export const MAX_PAGE_LETTERS = 64 * 1024 * 1024
/** Of plain text and values, which are only split. */
export const MAX_LETTERS = 4_000_000
/** Of what is parsed at once, letter by letter: names of blocks and attributes count, too. */
export const MAX_JSON_LETTERS = 24_000_000

/** One page of HTML has so many; each takes a kilobyte. */
export const MAX_ELEMENTS = 50_000
/** How deep elements, quotes and lists may stand in each other where they are parsed. */
export const MAX_MARKUP_DEPTH = 200
/** `[` in one paragraph of Markdown: a parser compares each with those before it. */
export const MAX_BRACKETS = 4_000
/** Names of addresses in Markdown: a parser compares each reference with all of them. */
export const MAX_DEFINITIONS = 2_000
/** Lines and signs of Markdown in one list, quote or other block: each takes a parser some kilobytes. */
export const MAX_BLOCK_SIGNS = 16_000

/** Of one part of a DOCX, in bytes: some ten for each letter of the text. */
export const MAX_WORD_XML_BYTES = 16 * 1024 * 1024

/** What a zip or a DOCX inflates to, with those within it. */
export const MAX_INFLATED_BYTES = 128 * 1024 * 1024
export const MAX_ZIP_ENTRIES = 10_000
/** How deep zips may be in zips: Notion puts one into another. */
export const MAX_ZIP_DEPTH = 2
/** One zip makes so many. */
export const MAX_DOCUMENTS = 100
/** Of one document, as of an upload. */
export const MAX_FILES = 2_000

/** Blocks and runs of letters: each takes up to a kilobyte while a document is made of them. */
export const MAX_NODES = 100_000

/** Of a title, in UTF-16 units. */
export const MAX_TITLE_LETTERS = 300
