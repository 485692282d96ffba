/** Reads the type of a file from its first bytes, and the size of a picture: a name or a stated type may lie. */
import { open } from 'node:fs/promises'
import { PICTURE_HEADER_BYTES, readPictureHeader } from '../../lib/files/picture-header.ts'
import { readSvgHeader, SVG_TYPE } from './svg-header.ts'

export interface FileHeader {
  /** A media type; `application/octet-stream` for what is none of those known. */
  readonly type: string
  /** In pixels, as it is shown; null where it is no picture, or has no size. */
  readonly width: number | null
  readonly height: number | null
}

const UNKNOWN_TYPE = 'application/octet-stream'

/** Reads the beginning alone, whatever the length of the file. */
export async function readFileHeader(path: string): Promise<FileHeader> {
  await using handle = await open(path)
  const buffer = Buffer.alloc(Math.min((await handle.stat()).size, PICTURE_HEADER_BYTES))
  const { bytesRead } = await handle.read(buffer)
  return headerOf(buffer.subarray(0, bytesRead))
}

export function headerOf(bytes: Buffer): FileHeader {
  const picture = readPictureHeader(bytes)
  if (picture) return picture
  const svg = readSvgHeader(bytes)
  if (svg) return { type: SVG_TYPE, ...svg }
  return { type: signatureTypeOf(bytes), width: null, height: null }
}

/** How files begin: the bytes as Latin-1 letters, and where they stand. */
const signatures: readonly (readonly [type: string, letters: string, at?: number])[] = [
  ['application/pdf', '%PDF-'],
  ['audio/mpeg', 'ID3'],
  ['audio/mpeg', '\xFF\xFB'],
  ['audio/flac', 'fLaC'],
  ['audio/ogg', 'OggS'],
  ['audio/wav', 'WAVE', 8],
  ['video/webm', '\x1A\x45\xDF\xA3'],
]

/** By the brand of ISO media files, of which AVIF was read before. */
const brands: Record<string, string> = {
  heic: 'image/heic',
  heix: 'image/heic',
  hevc: 'image/heic',
  mif1: 'image/heic',
  msf1: 'image/heic',
  'M4A ': 'audio/mp4',
  isom: 'video/mp4',
  iso2: 'video/mp4',
  iso4: 'video/mp4',
  iso5: 'video/mp4',
  iso6: 'video/mp4',
  mp41: 'video/mp4',
  mp42: 'video/mp4',
  avc1: 'video/mp4',
  'M4V ': 'video/mp4',
  'qt  ': 'video/quicktime',
}

function signatureTypeOf(bytes: Buffer): string {
  const lettersAt = (at: number, length: number): string => bytes.toString('latin1', at, at + length)
  if (lettersAt(4, 4) === 'ftyp') return brands[lettersAt(8, 4)] ?? UNKNOWN_TYPE
  const found = signatures.find(([, letters, at = 0]) => lettersAt(at, letters.length) === letters)
  return found?.[0] ?? UNKNOWN_TYPE
}
