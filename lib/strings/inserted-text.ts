import { plural } from './plural.ts'
import { sizeText } from './storage.ts'

/** A picture of the clipboard has no name. */
const named = (name: string): string => (name === '' ? 'The picture' : `“${name}”`)

/** What is lost of pasted text and of dropped files. */
export const insertedTextStrings = {
  pasted: {
    table: (count: number) => plural(count, 'table'),
    image: (count: number) => plural(count, 'image'),
    video: (count: number) => plural(count, 'video'),
    recording: (count: number) => plural(count, 'recording'),
    page: (count: number) => plural(count, 'embedded page'),
    file: (count: number) => plural(count, 'file'),
    flattened: 'Quotes and lists that were nested too deep were pasted as lines.',
    lost: (parts: readonly string[]) => `${new Intl.ListFormat('en-GB').format(parts)} could not be pasted.`,
    tableTooLarge: (cells: number, columns: number) =>
      `This table is too large to paste. A table can have ${cells.toLocaleString('en-GB')} cells and ${columns} columns.`,
    pasting: 'Pasting…',
    stop: 'Stop',
    incomplete: 'The rest was not pasted: the place where it belongs is gone.',
    undone: 'The rest was not pasted: the paste was undone before it ended.',
    closed: 'The rest was not pasted: the text was closed, or you can’t edit it any more.',
    tableText: (count: number) =>
      count === 1 ? 'The text of the table is kept.' : 'The text of the tables is kept.',
  },
  files: {
    tooLarge: (name: string, kilobytes: number) =>
      `“${name}” was not inserted: it is larger than ${kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`}.`,
    tooManyPixels: (name: string, width: number, height: number) =>
      `“${name}” was not inserted: ${width} × ${height} pixels are more than browsers can show.`,
    largerThanServer: (name: string, bytes: number) =>
      `${named(name)} was not inserted: a file may have at most ${sizeText(bytes)} on this server.`,
    noRoom: (name: string, bytes: number) =>
      bytes > 0
        ? `${named(name)} was not inserted: your space has room for ${sizeText(bytes)} more.`
        : `${named(name)} was not inserted: your space is full.`,
    serverFull: (name: string) => `${named(name)} was not inserted: this server has no space left.`,
    heic: (name: string) =>
      `${named(name)} was inserted as a file: browsers don’t show HEIC. Save it as JPEG to show it.`,
    noStorage: (name: string) =>
      `${named(name)} was not inserted: this browser stores nothing for this page.`,
    deviceFull: (name: string) => `${named(name)} was not inserted: this device has no room for it.`,
    notStored: (name: string) => `${named(name)} was not inserted: this device could not store it.`,
    notEditable: (name: string) =>
      `${named(name)} was not inserted: the document was closed, or you can’t edit it any more.`,
    damaged: (name: string) => `${named(name)} was not inserted: the picture is damaged.`,
    unreadable: (name: string) => `“${name}” was not inserted: it could not be read as text.`,
    moreProblems: (count: number) =>
      count === 1 ? '1 more file was not inserted.' : `${count} more files were not inserted.`,
  },
} as const
