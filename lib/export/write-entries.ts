/** Writes a document in a format: as one file, or as several for a zip. */
import { exportFileName, type ExportFormat } from './export-formats.ts'
import { exportStrings } from '../strings/export.ts'
import { type ExportedFile, type ExportSource, fileUrlOf } from './export-source.ts'
import { safeFileName, UniqueNames } from './file-names.ts'
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
export function writeEntries(source: ExportSource, format: Exclude<ExportFormat, 'docx'>): ExportEntry[] {
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
    case 'zip':
      return writeFolder(source)
  }
}

const FILES_FOLDER = 'files'

/** Markdown for other programs, JSON for what Markdown cannot hold, and the files that both name. */
function writeFolder(source: ExportSource): ExportEntry[] {
  const files = [...source.files.values()]
  // What the document does not have comes last, so that the names of the others are those that the import gives them.
  const places = folderPathsOf([...files, ...source.missingFiles])
  const paths = new Map(files.map(({ id }) => [id, places.get(id)!]))
  const addressOf = (file: string): string | null => {
    const path = paths.get(file)
    return path === undefined ? null : path.split('/').map(encodeName).join('/')
  }
  return [
    { name: exportFileName(source.title, 'markdown'), parts: [writeMarkdownFile(source, addressOf)] },
    { name: exportFileName(source.title, 'json'), parts: [writeJson(source)] },
    ...[...places].map(([file, name]): ExportEntry => ({ name, parts: [{ file, encoding: 'bytes' }] })),
  ]
}

/** Where each file of a document stands in its folder, by its id: the order counts. */
export function folderPathsOf(
  files: readonly Pick<ExportedFile, 'id' | 'name' | 'type'>[],
): ReadonlyMap<string, string> {
  const names = new UniqueNames()
  return new Map(files.map((file) => [file.id, `${FILES_FOLDER}/${names.add(fileNameFor(file))}`]))
}

/** Brackets end an address in Markdown. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replaceAll('(', '%28').replaceAll(')', '%29')

/** A picture that was pasted has no name, and one of a phone may have no ending. */
function fileNameFor({ name, type }: Pick<ExportedFile, 'name' | 'type'>): string {
  const [, ending] = /^image\/(png|jpeg|gif|webp|avif|svg)/.exec(type) ?? []
  const safe = safeFileName(name, ending ? exportStrings.pictureFile : exportStrings.otherFile)
  return ending && !/\.[a-z\d]{2,5}$/i.test(safe) ? `${safe}.${ending}` : safe
}
