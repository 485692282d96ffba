/** Writes a document in a format: as one file, or as several for a zip. */
import { exportFileName, type ExportFormat } from './export-formats.ts'
import { type ExportSource, fileUrlOf } from './export-source.ts'
import { writeHtml } from './write-html.ts'
import { writeJson } from './write-json.ts'
import { writeMarkdownFile } from './write-markdown.ts'
import { writeText } from './write-text.ts'

/** The bytes of a file of the document, as they are or in base64. */
export interface FilePart {
  readonly file: string
  readonly encoding: 'bytes' | 'base64'
}

export type ExportPart = string | Uint8Array<ArrayBuffer> | FilePart

/** A file that is made. */
export interface ExportEntry {
  readonly name: string
  readonly parts: readonly ExportPart[]
}

/** @throws {ExportTooLarge} */
export function writeEntries(source: ExportSource, format: ExportFormat): ExportEntry[] {
  const entryOf = (parts: readonly ExportPart[]): ExportEntry[] => [
    { name: exportFileName(source.title, format), parts },
  ]
  switch (format) {
    case 'markdown':
      return entryOf([writeMarkdownFile(source, (file) => (file === '' ? null : fileUrlOf(source, file)))])
    case 'html':
      return entryOf(
        writeHtml(source).map((part) => (typeof part === 'string' ? part : { ...part, encoding: 'base64' })),
      )
    case 'txt':
      return entryOf([writeText(source)])
    case 'json':
      return entryOf([writeJson(source)])
    default:
      throw new RangeError(`${format} is not written here`)
  }
}
