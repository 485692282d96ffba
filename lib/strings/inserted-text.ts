import { plural } from './plural.ts'

/** What is lost of pasted text and of dropped files. */
export const strings = {
  pasted: {
    table: (count: number) => plural(count, 'table'),
    image: (count: number) => plural(count, 'image'),
    video: (count: number) => plural(count, 'video'),
    recording: (count: number) => plural(count, 'recording'),
    page: (count: number) => plural(count, 'embedded page'),
    file: (count: number) => plural(count, 'file'),
    lost: (parts: readonly string[]) => `${new Intl.ListFormat('en-GB').format(parts)} could not be pasted.`,
    tableText: (count: number) =>
      count === 1 ? 'The text of the table is kept.' : 'The text of the tables is kept.',
  },
  files: {
    otherType: (name: string) => `“${name}” was not inserted: only text and Markdown files can be.`,
    tooLarge: (name: string, kilobytes: number) =>
      `“${name}” was not inserted: it is larger than ${kilobytes} KB.`,
    unreadable: (name: string) => `“${name}” was not inserted: it could not be read as text.`,
    moreProblems: (count: number) =>
      count === 1 ? '1 more file was not inserted.' : `${count} more files were not inserted.`,
  },
} as const
