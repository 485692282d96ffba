import { plural } from './plural.ts'

const were = (count: number, one: string, many?: string): string =>
  `${plural(count, one, many)} ${count === 1 ? 'was' : 'were'}`

/** What is said of files that become documents, by the server and in the dialog. */
export const strings = {
  /** In this order. */
  losses: {
    table: (count: number) =>
      `${were(count, 'table')} too large: ${count === 1 ? 'its' : 'their'} rows are lines.`,
    remoteImage: (count: number) => `${were(count, 'image')} on the web: links to them are kept.`,
    image: (count: number) => `${plural(count, 'image')} could not be taken over.`,
    missingFile: (count: number) =>
      `${were(count, 'picture or file', 'pictures or files')} not in the import.`,
    unknown: (count: number) =>
      `${were(count, 'part')} of a kind that documents do not have: the text is kept.`,
    comment: (count: number) => `${plural(count, 'comment')} could not be taken over.`,
    nesting: (count: number) => `${were(count, 'block')} nested too deep: the text is kept.`,
  },
  refused: {
    format: (name: string) =>
      `“${name}” is none of the formats that can be imported: Markdown, plain text, CSV, or JSON of this program.`,
    empty: (name: string) => `“${name}” is empty.`,
    notText: (name: string) => `“${name}” could not be read as text.`,
    tooLong: (name: string, letters: number) =>
      `“${name}” is too long: a document may have ${letters.toLocaleString('en-GB')} letters.`,
    tooManyParts: (name: string) => `“${name}” has too many parts for one document.`,
    otherJson: (name: string) => `“${name}” is not a document that this program has exported as JSON.`,
    newerJson: (name: string) => `“${name}” was exported by a newer version of this program.`,
    tooHard: (name: string) => `“${name}” could not be read: it is broken, or too much for this server.`,
    cut: 'The upload was cut off. Nothing was imported.',
    tooLarge: (size: string) => `A file to import may have at most ${size} (LIMIT_IMPORT).`,
    tooMany: 'Too many files are being imported already. Try again in a moment.',
  },
} as const
