/**
 * The document as it is, as a part of the DOCX that other programs do not look at, and leave out when they save: from it comes back what
 * Word has no place for. It counts for as long as no part of Word's has changed.
 */
import { digest } from 'lib0/hash/sha256'
import { fieldsOf, parseJson } from '../../protocol/value-reader.ts'
import { type ExportSource, fileUrlOf } from '../export-source.ts'
import { jsonOf } from '../write-json.ts'

export const OWN_PART = 'customXml/diptych.xml'

/** A larger document is read as that of any other program. */
const MAX_OWN_PART_BYTES = 8 * 1024 * 1024

/** By their names. */
export type DocxParts = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/**
 * Comments whose text is gone are left out, as they are in Word's parts.
 * @param pictures The file that a part has the bytes of, by the part's name. @returns null for a document that is too large.
 */
export function writeOwnPart(
  source: ExportSource,
  parts: DocxParts,
  pictures: ReadonlyMap<string, string>,
): Uint8Array<ArrayBuffer> | null {
  const threads = source.threads.filter(({ range }) => range !== null)
  const content = {
    fingerprint: fingerprintOf(parts),
    pictures: Object.fromEntries(pictures),
    files: fileUrlOf(source, ''),
    document: jsonOf({ ...source, threads }),
  }
  const letters = JSON.stringify(content).replaceAll(/[<>&\uFFFE\uFFFF]/g, escapeLetter)
  const xml = `<?xml version="1.0" encoding="UTF-8"?><diptych xmlns="urn:diptych:document">${letters}</diptych>`
  const bytes = new TextEncoder().encode(xml)
  return bytes.length > MAX_OWN_PART_BYTES ? null : bytes
}

export interface OwnPart {
  /** As writeJson has it; a stranger may have written it. */
  readonly document: unknown
  /** The part that has the bytes of a file, by the file's id. */
  readonly pictures: ReadonlyMap<string, string>
  /** The address of a file begins with it. */
  readonly files: string
}

/** Null where there is none, or another program has changed what Word shows. */
export function readOwnPart(parts: DocxParts): OwnPart | null {
  const part = parts.get(OWN_PART)
  const [, letters] = /<diptych xmlns="urn:diptych:document">([^<]*)<\/diptych>/.exec(textOf(part)) ?? []
  if (letters === undefined) return null
  const { fingerprint, pictures, files, document } = fieldsOf(parseJson(letters))
  if (fingerprint !== fingerprintOf(parts)) return null
  const named = Object.entries(fieldsOf(pictures)).map(([name, file]): [string, string] => [
    String(file),
    name,
  ])
  return { document, pictures: new Map(named), files: String(files) }
}

const textOf = (part: Uint8Array | undefined): string => (part ? new TextDecoder().decode(part) : '')

/** Letters of JSON that XML has no place for stand there only within strings, where they may be escaped. */
const escapeLetter = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

function fingerprintOf(parts: DocxParts): string {
  const lines = [...parts]
    .filter(([name]) => /^word\/.*\.(?:xml|rels)$/.test(name))
    .map(([name, bytes]) => `${name} ${hexOf(digest(bytes))}`)
  return hexOf(digest(new TextEncoder().encode(lines.toSorted().join('\n'))))
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
