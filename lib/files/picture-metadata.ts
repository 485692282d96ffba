/**
 * Takes out of a picture what its pixels do not need: where and when it was taken, by which device, with what text. No pixel changes. It is
 * total: bytes that are no whole picture come back as they are. Does not know a browser.
 */
import { readExifOrientation } from './picture-header.ts'
import type { PictureType } from './picture-types.ts'

type Bytes = Uint8Array<ArrayBuffer>

const strippers: Partial<Record<PictureType, (bytes: Bytes) => Bytes>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

/** The same bytes where there is nothing to take out. AVIF and GIF stay as they are. */
export function stripPictureMetadata(bytes: Bytes, type: PictureType): Bytes {
  try {
    return strippers[type]?.(bytes) ?? bytes
  } catch (error) {
    // The bytes end too early.
    if (error instanceof RangeError) return bytes
    throw error
  }
}

/** Whether it moves: drawn anew, it would stand still. */
export function isAnimated(bytes: Bytes, type: PictureType): boolean {
  const head = textAt(bytes, 0, Math.min(bytes.length, 4096))
  switch (type) {
    case 'image/gif':
      return true
    case 'image/png':
      return head.includes('acTL')
    case 'image/webp':
      return head.includes('ANIM')
    case 'image/avif':
      return head.slice(8, 64).includes('avis')
    case 'image/jpeg':
      return false
  }
}

/** Of an AVIF, from which nothing is taken out but by drawing it anew. */
export const hasExif = (bytes: Bytes): boolean =>
  textAt(bytes, 0, Math.min(bytes.length, 4096)).includes('Exif')

/** APP1 has Exif and XMP, APP13 IPTC. APP0, APP2 and APP14 say how colours are meant. Pictures after the first one are others of the same scene. */
function stripJpeg(bytes: Bytes): Bytes {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Bytes[] = [bytes.subarray(0, 2)]
  let orientation: number | null = null
  let at = 2
  while (data.getUint8(at) === 0xff && data.getUint8(at + 1) !== 0xda) {
    const marker = data.getUint8(at + 1)
    // Any number of these may stand before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + data.getUint16(at + 2)
    if (end > bytes.length) return bytes
    if (marker === 0xe1) orientation ??= readExifOrientation(data, at + 4)
    if (!isDroppedSegment(marker) && !isOtherPictures(bytes, marker, at)) kept.push(bytes.subarray(at, end))
    at = end
  }
  const end = endOfScans(bytes, at)
  if (end === null) return bytes
  const turned = orientation !== null && orientation > 1 ? [orientationSegment(orientation)] : []
  return joined([kept[0]!, ...turned, ...kept.slice(1), bytes.subarray(at, end)])
}

const isDroppedSegment = (marker: number): boolean =>
  marker === 0xe1 || (marker >= 0xe3 && marker <= 0xed) || marker === 0xef || marker === 0xfe

const isOtherPictures = (bytes: Bytes, marker: number, at: number): boolean =>
  marker === 0xe2 && textAt(bytes, at + 4, 4) === 'MPF\0'

/** Behind the end marker; null where there is none. */
function endOfScans(bytes: Bytes, from: number): number | null {
  for (
    let at = bytes.indexOf(0xff, from);
    at !== -1 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  )
    if (bytes[at + 1] === 0xd9) return at + 2
  return null
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
    if (end > bytes.length) return bytes
    if (!droppedChunks.includes(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return joined(kept)
    at = end
  }
}

/** The flags of the header say which chunks there are. */
function stripWebp(bytes: Bytes): Bytes {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Bytes[] = [bytes.slice(0, 12)]
  const last = Math.min(bytes.length, 8 + data.getUint32(4, true))
  for (let at = 12; at < last;) {
    const type = textAt(bytes, at, 4)
    const size = data.getUint32(at + 4, true)
    const end = at + 8 + size + (size % 2)
    if (end > bytes.length) return bytes
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
