/** Which format a file has: its bytes first, then its name, and what the browser says last. */
import type { ImportSource } from './imported-document.ts'

const byExtension = {
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
  json: 'json',
  htm: 'html',
  html: 'html',
  docx: 'docx',
  zip: 'zip',
  csv: 'csv',
  tsv: 'csv',
} as const

export type ImportFormat = (typeof byExtension)[keyof typeof byExtension]

const byType: Readonly<Record<string, ImportFormat>> = {
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/plain': 'text',
  'application/json': 'json',
  'text/html': 'html',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
}

/** What a picker offers. */
export const importExtensions = Object.keys(byExtension).map((extension) => `.${extension}`)

/** Null for what cannot be imported. */
export function importFormatOf({ name, type }: ImportSource): ImportFormat | null {
  const extension = /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? ''
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension as keyof typeof byExtension]
  return Object.hasOwn(byType, type) ? byType[type]! : null
}

/** The name of a file without its ending: the title of what names none. */
export const titleOfName = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/\.[^.]{1,10}$/, '')
    // Notion adds the id of each page.
    .replace(/ [\da-f]{32}(?:_all)?$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
