import { plural } from './plural.ts'

const were = (count: number, one: string, many?: string): string =>
  `${plural(count, one, many)} ${count === 1 ? 'was' : 'were'}`

/** What is said of files that become documents, by the server and in the dialog. */
export const importStrings = {
  /** @param refusal Says why, of one document of several. */
  notImported: (refusal: string) => `Not imported: ${refusal}`,
  /** @param reason A sentence. */
  notStored: ([first = '', ...more]: readonly string[], reason: string) =>
    `Not imported: “${first}”${more.length === 0 ? '' : ` and ${plural(more.length, 'more document')}`}. ${reason}`,
  losses: {
    document: (count: number) => `${plural(count, 'more file')} could not be imported.`,
    table: (count: number) =>
      `${were(count, 'table')} too large: ${count === 1 ? 'its' : 'their'} rows are lines.`,
    remoteImage: (count: number) =>
      `${were(count, 'image')} on the web: ${count === 1 ? 'a link to it is' : 'links to them are'} kept.`,
    image: (count: number) => `${plural(count, 'image')} could not be imported.`,
    link: (count: number) =>
      `${plural(count, 'link')} led to another file: ${count === 1 ? 'its' : 'their'} text is kept.`,
    video: (count: number) => `${plural(count, 'video')} could not be imported.`,
    recording: (count: number) => `${plural(count, 'recording')} could not be imported.`,
    page: (count: number) => `${plural(count, 'embedded page')} could not be imported.`,
    footnote: (count: number) => `${were(count, 'footnote')} moved to the end, as a list.`,
    numbering: () => 'Lists that began at another number, or used letters, now count from 1.',
    equation: (count: number) => `${plural(count, 'equation')} became letters.`,
    drawing: (count: number) =>
      `${plural(count, 'drawing or chart', 'drawings and charts')} could not be imported.`,
    object: (count: number) => `${plural(count, 'embedded object')} could not be imported.`,
    deletion: (count: number) => `${were(count, 'tracked deletion')} left out.`,
    margin: () => 'Headers and footers of pages could not be imported.',
    wordPart: (count: number) =>
      `${plural(count, 'part')} of a Word document could not be read and ${count === 1 ? 'was' : 'were'} left out.`,
    attribute: (count: number) =>
      `${plural(count, 'setting')} of blocks ${count === 1 ? 'was' : 'were'} too long and left out.`,
    unusedFile: (count: number) =>
      `${plural(count, 'file')} ${count === 1 ? 'is' : 'are'} used in no document and ${count === 1 ? 'was' : 'were'} left out.`,
    missingFile: (count: number) =>
      `${were(count, 'picture or file', 'pictures or files')} not in the import.`,
    unknown: (count: number) =>
      `${were(count, 'part')} of a kind that documents do not have: the text is kept.`,
    comment: (count: number) => `${plural(count, 'comment')} could not be imported.`,
    nesting: (count: number) => `${were(count, 'block')} nested too deep: the text is kept.`,
  },
  refused: {
    format: (name: string) =>
      `“${name}” is none of the formats that can be imported: Markdown, HTML, Word (.docx), plain text, CSV, a zip of these, or JSON of this program.`,
    empty: (name: string) => `“${name}” is empty.`,
    notText: (name: string) => `“${name}” could not be read as text.`,
    tooLong: (name: string, letters: number) =>
      `“${name}” is too long: a document may have ${letters.toLocaleString('en-GB')} letters.`,
    tooDeep: (name: string) => `“${name}” has parts that are nested too deep.`,
    tooManyParts: (name: string) => `“${name}” has too many parts for one document.`,
    otherJson: (name: string) => `“${name}” is not a document that this program has exported as JSON.`,
    newerJson: (name: string) => `“${name}” was exported by a newer version of this program.`,
    tooHard: (name: string) => `“${name}” could not be read: it is damaged or too large to read.`,
    tooManyEntries: (name: string) => `“${name}” has too many files.`,
    tooManyDocuments: (name: string, limit: number) => `“${name}” has more than ${limit} documents.`,
    tooMuchInside: (name: string) => `“${name}” is too large once it is unpacked.`,
    nothingInside: (name: string) => `“${name}” has nothing in it that can be imported.`,
    locked: (name: string) => `“${name}” is locked by a password.`,
    cut: 'The upload was cut off. Nothing was imported.',
    tooSlow: 'The upload was too slow. Nothing was imported. Try again on a faster connection.',
    tooLarge: (size: string) => `A file to import may have at most ${size} (LIMIT_IMPORT).`,
    tooMany: 'Too many files are being imported already. Try again in a moment.',
  },
} as const
