/** What a block stores of a file: never its bytes, and no address. Anybody who may write can have written these: trust none of them. */
import type { StoredAttributes } from '../blocks/definitions.ts'

const ID_BYTES = 16

/** A file has its id from the first moment, and keeps it wherever its bytes are. */
export function createFileId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** '' for anything else than an id. */
export const fileIdOf = ({ file }: StoredAttributes): string =>
  typeof file === 'string' && /^[\w-]{22}$/.test(file) ? file : ''

/** In UTF-16 units, as most file systems have it. */
const MAX_NAME_LENGTH = 120

/** A name on one line, without what a file system or a screen would read in it. */
export const cleanFileName = (name: string): string =>
  name
    .slice(-10 * MAX_NAME_LENGTH)
    .toWellFormed()
    // Letters that turn the direction of others would hide the end of a name.
    .replaceAll(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069/\\:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(-MAX_NAME_LENGTH)
    .toWellFormed()

export const fileNameOf = ({ name }: StoredAttributes): string =>
  typeof name === 'string' ? cleanFileName(name) : ''

/** In Markdown, a file is an address of this scheme: `diptych-file:ID/name#details`. */
const SCHEME = 'diptych-file:'

export interface FileAddress {
  readonly file: string
  readonly name: string
  readonly details: readonly string[]
}

export const writeFileAddress = ({ file, name, details }: FileAddress): string =>
  `${SCHEME}${file}/${encodeURIComponent(name)}${details.length > 0 ? `#${details.map(encodeURIComponent).join(',')}` : ''}`

/** Null for any other address. */
export function readFileAddress(address: string): FileAddress | null {
  const [, file, name, details] = /^diptych-file:([\w-]{22}|)\/([^#]*)(?:#(.*))?$/.exec(address) ?? []
  if (file === undefined) return null
  const parts = details ? details.split(',') : []
  return { file, name: decodePart(name!), details: parts.map(decodePart) }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
