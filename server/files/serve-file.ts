/** How a file is answered: its headers, and the part of it that was asked for. It knows rows and headers; it does not know rights. */
import type { FileRow } from './file-records.ts'
import type { ByteRange } from './file-storage.ts'
import { SVG_TYPE } from './svg-header.ts'

/** What browsers show by themselves, and run nothing of. A PDF runs in a viewer of its own. */
const shownTypes =
  /^(image\/(png|jpeg|gif|webp|avif)|audio\/(mpeg|flac|ogg|wav|mp4)|video\/(webm|mp4|quicktime)|application\/pdf)$/

const SANDBOX = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"
const SVG_SANDBOX = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox"
/** Browsers do not open their viewer within a sandbox. */
const PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const policyOf = (type: string): string =>
  type === SVG_TYPE ? SVG_SANDBOX : type === 'application/pdf' ? PDF_POLICY : SANDBOX

/** A year. A file never changes under its address. */
const MAX_AGE_S = 31_536_000

export const entityTagOf = ({ sha256 }: FileRow): string => `"${sha256}"`

/** @param isDownload Whether the caller wants it on the disk, whatever it is. */
export const fileHeaders = (file: FileRow, isDownload: boolean): Record<string, string> => ({
  'Content-Type': file.type,
  'Content-Disposition': dispositionOf(file, isDownload),
  'Content-Security-Policy': policyOf(file.type),
  'Accept-Ranges': 'bytes',
  'Cache-Control': `private, max-age=${MAX_AGE_S}, immutable`,
  // Another person of the same browser does not get it from the cache.
  Vary: 'Cookie, Authorization',
  ETag: entityTagOf(file),
})

const dispositionOf = ({ type, name }: FileRow, isDownload: boolean): string =>
  namedDisposition(!isDownload && shownTypes.test(type) ? 'inline' : 'attachment', name)

export function namedDisposition(kind: 'inline' | 'attachment', name: string): string {
  if (name === '') return kind
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encoded}`
}

/** `If-None-Match`, of which an asterisk stands for any. */
export const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag)

/**
 * Reads the header `Range`. Several ranges, and anything else, count as none, as RFC 9110 allows.
 * @returns null for the whole file, and `unsatisfiable` for bytes that it does not have.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < start) return null
  return start >= bytes ? 'unsatisfiable' : { start, end }
}
