/** The formats that a document can be written in. Knows names and types; does not know how they are written. */
import { commonStrings } from '../strings/common.ts'
import { safeFileName } from './file-names.ts'

export const exportFormats = ['markdown', 'html', 'docx', 'txt', 'json', 'zip'] as const

export type ExportFormat = (typeof exportFormats)[number]

/** Those that a page writes by itself, without a network. */
const pageFormats = ['markdown', 'html', 'docx', 'txt', 'json'] as const satisfies readonly ExportFormat[]

export type PageFormat = (typeof pageFormats)[number]

export const isPageFormat = (format: ExportFormat): format is PageFormat =>
  pageFormats.some((one) => one === format)

/** Those that are a zip of several files. */
export const isArchive = (format: ExportFormat): boolean => format === 'zip' || format === 'docx'

/** Whether the bytes of pictures stand in the file itself, by name or by letters. A zip names those that it has not. */
export const holdsPictures = (format: ExportFormat): boolean => format === 'html' || format === 'docx'

/** Of an answer with such a file: how many pictures have a sentence in their place, since their bytes could not be found. */
export const MISSING_PICTURES_HEADER = 'Diptych-Missing-Pictures'

interface FormatType {
  readonly extension: string
  readonly mediaType: string
}

export const formatTypes: Readonly<Record<ExportFormat, FormatType>> = {
  markdown: { extension: 'md', mediaType: 'text/markdown; charset=utf-8' },
  html: { extension: 'html', mediaType: 'text/html; charset=utf-8' },
  docx: {
    extension: 'docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  txt: { extension: 'txt', mediaType: 'text/plain; charset=utf-8' },
  json: { extension: 'json', mediaType: 'application/json' },
  zip: { extension: 'zip', mediaType: 'application/zip' },
}

export const exportFileName = (title: string, format: ExportFormat): string =>
  `${safeFileName(title, commonStrings.untitled)}.${formatTypes[format].extension}`
