/** Reads the type and the size of a picture from its first bytes: a name or a stated type may lie. Does not know a browser. */
import type { PictureType } from './picture-types.ts'

export interface PictureHeader {
  readonly type: PictureType
  /** In pixels, as it is shown: turned as the camera says. */
  readonly width: number
  readonly height: number
}

/** Where the size stands at the latest: a JPEG may have a preview and a colour profile before it. */
export const PICTURE_HEADER_BYTES = 1024 * 1024

/** The kinds of HEIC, which is no picture here: browsers do not show it. */
export const isHeicHeader = (bytes: Uint8Array): boolean =>
  /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s.test(String.fromCharCode(...bytes.subarray(0, 12)))

type Size = Pick<PictureHeader, 'width' | 'height'>

const readers: readonly (readonly [PictureType, (data: DataView) => Size | null])[] = [
  ['image/png', readPng],
  ['image/jpeg', readJpeg],
  ['image/gif', readGif],
  ['image/webp', readWebp],
  ['image/avif', readAvif],
]

/** Null for what is no such picture, or is cut off before its size. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const [type, readSize] of readers) {
    try {
      const size = readSize(data)
      if (size) return size.width > 0 && size.height > 0 ? { type, ...size } : null
    } catch (error) {
      // The bytes end too early.
      if (!(error instanceof RangeError)) throw error
    }
  }
  return null
}

const lettersAt = (data: DataView, at: number, length: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, offset) => data.getUint8(at + offset)))

function readPng(data: DataView): Size | null {
  if (lettersAt(data, 0, 8) !== '\x89PNG\r\n\x1A\n' || lettersAt(data, 12, 4) !== 'IHDR') return null
  return { width: data.getUint32(16), height: data.getUint32(20) }
}

function readGif(data: DataView): Size | null {
  if (!/^GIF8[79]a$/.test(lettersAt(data, 0, 6))) return null
  return { width: data.getUint16(6, true), height: data.getUint16(8, true) }
}

function readWebp(data: DataView): Size | null {
  if (lettersAt(data, 0, 4) !== 'RIFF' || lettersAt(data, 8, 4) !== 'WEBP') return null
  switch (lettersAt(data, 12, 4)) {
    case 'VP8 ':
      return { width: data.getUint16(26, true) & 0x3f_ff, height: data.getUint16(28, true) & 0x3f_ff }
    case 'VP8L': {
      const bits = data.getUint32(21, true)
      return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 }
    }
    case 'VP8X':
      return { width: uint24At(data, 24) + 1, height: uint24At(data, 27) + 1 }
    default:
      return null
  }
}

const uint24At = (data: DataView, at: number): number =>
  data.getUint16(at, true) + data.getUint8(at + 2) * 0x1_00_00

function readJpeg(data: DataView): Size | null {
  if (data.getUint16(0) !== 0xff_d8) return null
  let isTurned: boolean | null = null
  for (let at = 2; data.getUint8(at) === 0xff; at += 2 + data.getUint16(at + 2)) {
    const marker = data.getUint8(at + 1)
    // The first one counts: each of many could name the same long directory.
    if (marker === 0xe1) isTurned ??= isTurnedBy(readExifOrientation(data, at + 4))
    if (!isFrameMarker(marker)) continue
    const [height, width] = [data.getUint16(at + 5), data.getUint16(at + 7)]
    return isTurned ? { width: height, height: width } : { width, height }
  }
  return null
}

/** The other three of these numbers are tables. */
const isFrameMarker = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** The camera was held upright. */
const isTurnedBy = (orientation: number | null): boolean | null =>
  orientation === null ? null : orientation >= 5

/** From 1 to 8, as the camera was held; 1 where it is not said, and null for a segment that is no Exif. */
export function readExifOrientation(data: DataView, at: number): number | null {
  if (lettersAt(data, at, 6) !== 'Exif\0\0') return null
  const start = at + 6
  const isLittleEndian = lettersAt(data, start, 2) === 'II'
  const directory = start + data.getUint32(start + 4, isLittleEndian)
  const count = data.getUint16(directory, isLittleEndian)
  for (let entry = directory + 2; entry < directory + 2 + count * 12; entry += 12)
    if (data.getUint16(entry, isLittleEndian) === 0x01_12)
      return Math.min(8, Math.max(1, data.getUint16(entry + 8, isLittleEndian)))
  return 1
}

/** Of several pictures in one file, thumbnails among them, the largest is shown. */
function readAvif(data: DataView): Size | null {
  const [fileType] = boxesIn(data, 0, data.byteLength)
  if (fileType?.type !== 'ftyp') return null
  if (!/avi[fs]/.test(lettersAt(data, fileType.start, Math.min(fileType.end - fileType.start, 256))))
    return null
  const inside = (type: string, from: number, to: number): Box => {
    const found = boxesIn(data, from, to).find((box) => box.type === type)
    if (!found || found.end > data.byteLength) throw new RangeError(`no whole box ${type}`)
    return found
  }
  const meta = inside('meta', 0, data.byteLength)
  const properties = inside('iprp', meta.start + 4, meta.end)
  const container = inside('ipco', properties.start, properties.end)
  const found = boxesIn(data, container.start, container.end)
  const sizes = found
    .filter(({ type }) => type === 'ispe')
    .map(({ start }) => ({ width: data.getUint32(start + 4), height: data.getUint32(start + 8) }))
  const largest = sizes.toSorted((a, b) => b.width * b.height - a.width * a.height)[0]
  const isTurned = found.some(({ type, start }) => type === 'irot' && (data.getUint8(start) & 1) === 1)
  return largest && isTurned ? { width: largest.height, height: largest.width } : (largest ?? null)
}

interface Box {
  readonly type: string
  /** Of its content. */
  readonly start: number
  readonly end: number
}

const BOX_HEADER_BYTES = 8
/** No picture has so many side by side. */
const MAX_BOXES = 1_000

/** Ends at a box of a size that none can have. */
function boxesIn(data: DataView, from: number, to: number): Box[] {
  const boxes: Box[] = []
  const last = Math.min(to, data.byteLength)
  let at = from
  while (at + BOX_HEADER_BYTES <= last && boxes.length < MAX_BOXES) {
    const size = data.getUint32(at)
    boxes.push({ type: lettersAt(data, at + 4, 4), start: at + BOX_HEADER_BYTES, end: at + size })
    if (size < BOX_HEADER_BYTES) break
    at += size
  }
  return boxes
}
