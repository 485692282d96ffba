/**
 * Takes out of a picture what its pixels do not need: where and when it was taken, by which device, with what text. No pixel changes. Does
 * not know a browser.
 */
import { readExifOrientation } from './picture-header.ts'
import type { PictureType } from './picture-types.ts'

type Bytes = Uint8Array<ArrayBuffer>

const strippers: Partial<Record<PictureType, (bytes: Bytes) => Bytes>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

/** AVIF and GIF stay as they are. Null for a picture that is cut off or damaged: what a browser still draws of it can be drawn anew. */
export function stripPictureMetadata(bytes: Bytes, type: PictureType): Bytes | null {
  return nullIfCutOff(() => strippers[type]?.(bytes) ?? bytes)
}

/** Whether it moves: drawn anew, it would stand still. */
export function isAnimated(bytes: Bytes, type: PictureType): boolean {
  switch (type) {
    case 'image/gif':
      return true
    case 'image/png':
      return nullIfCutOff(() => isAnimatedPng(bytes)) ?? false
    case 'image/webp':
      return lettersOf(bytes, 12, 16) === 'VP8X' && (bytes[20]! & ANIMATION_FLAG) !== 0
    case 'image/avif':
      return lettersOf(bytes, 8, 64).includes('avis')
    case 'image/jpeg':
      return false
  }
}

/** In bytes: a list of what an AVIF consists of stands at its beginning. */
const AVIF_HEAD_BYTES = 64 * 1024

/** Whether an AVIF has Exif or XMP: nothing is taken out of it but by drawing it anew. */
export const hasMetadata = (bytes: Bytes): boolean =>
  /Exif|application\/rdf\+xml/.test(lettersOf(bytes, 0, AVIF_HEAD_BYTES))

function nullIfCutOff<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * APP1 has Exif and XMP, APP13 IPTC. APP0, APP2 and APP14 say how colours are meant. Pictures after the first one are others of the same
 * scene. A picture without an end marker, which browsers show as well, ends where its bytes do.
 */
function stripJpeg(bytes: Bytes): Bytes {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Bytes[] = []
  let orientation: number | null = null
  let at = 2
  while (at < bytes.length) {
    const marker = data.getUint8(at + 1)
    if (data.getUint8(at) !== 0xff) throw new RangeError('no marker where a segment begins')
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END_OF_PICTURE) {
      kept.push(bytes.subarray(at, at + 2))
      break
    }
    const content = at + 2 + data.getUint16(at + 2)
    const end = marker === START_OF_SCAN ? endOfScan(bytes, content) : content
    if (end > bytes.length) throw new RangeError('the bytes end within a segment')
    if (marker === 0xe1) orientation ??= readExifOrientation(data, at + 4)
    if (!isDroppedSegment(marker) && !isOtherPictures(bytes, marker, at)) kept.push(bytes.subarray(at, end))
    at = end
  }
  const turned = orientation !== null && orientation > 1 ? [orientationSegment(orientation)] : []
  return joined([bytes.subarray(0, 2), ...turned, ...kept])
}

const START_OF_SCAN = 0xda
const END_OF_PICTURE = 0xd9

const isDroppedSegment = (marker: number): boolean =>
  marker === 0xe1 || (marker >= 0xe3 && marker <= 0xed) || marker === 0xef || marker === 0xfe

const isOtherPictures = (bytes: Bytes, marker: number, at: number): boolean =>
  marker === 0xe2 && textAt(bytes, at + 4, 4) === 'MPF\0'

/** Where the next marker is: in what is drawn, FF stands before 00 or before a restart marker. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return Math.max(from, bytes.length)
}

/** Exif with nothing but how the camera was held. */
const orientationSegment = (orientation: number): Bytes => {
  const head = [0xff, 0xe1, 0, 34, ...new TextEncoder().encode('Exif\0\0MM'), 0, 42, 0, 0, 0, 8]
  const directory = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  return Uint8Array.from([...head, ...directory])
}

const droppedChunks: readonly string[] = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']

function stripPng(bytes: Bytes): Bytes {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Bytes[] = [bytes.subarray(0, 8)]
  for (let at = 8; ;) {
    const type = textAt(bytes, at + 4, 4)
    const end = at + 12 + data.getUint32(at)
    if (end > bytes.length) throw new RangeError('the bytes end within a chunk')
    if (!droppedChunks.includes(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return joined(kept)
    at = end
  }
}

/** A picture that moves says so before its pixels. */
function isAnimatedPng(bytes: Bytes): boolean {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; ; at += 12 + data.getUint32(at)) {
    const type = textAt(bytes, at + 4, 4)
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL'
  }
}

/** The flags of the header say which chunks there are. Some programs leave out the byte that makes the length of the last one even. */
function stripWebp(bytes: Bytes): Bytes {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Bytes[] = [bytes.slice(0, 12)]
  const last = Math.min(bytes.length, 8 + data.getUint32(4, true))
  for (let at = 12; at < last;) {
    const type = textAt(bytes, at, 4)
    const size = data.getUint32(at + 4, true)
    const end = at + 8 + size + (size % 2)
    if (at + 8 + size > bytes.length) throw new RangeError('the bytes end within a chunk')
    const chunk = bytes.slice(at, end)
    if (type === 'VP8X') chunk[8]! &= ~(EXIF_FLAG | XMP_FLAG)
    if (type !== 'EXIF' && type !== 'XMP ') kept.push(chunk)
    at = end
  }
  const stripped = joined(kept)
  new DataView(stripped.buffer).setUint32(4, stripped.length - 8, true)
  return stripped
}

const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
const ANIMATION_FLAG = 0x02

/** Fewer where the bytes end before. */
const lettersOf = (bytes: Bytes, from: number, to: number): string =>
  new TextDecoder('latin1').decode(bytes.subarray(from, to))

function textAt(bytes: Bytes, at: number, length: number): string {
  if (at + length > bytes.length) throw new RangeError('the bytes end too early')
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
