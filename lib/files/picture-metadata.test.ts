/** [F6] What a camera writes beside the pixels leaves a picture, and nothing else does. */
import { expect, test } from 'vitest'
import { readPictureHeader } from './picture-header.ts'
import { hasMetadata, isAnimated, stripPictureMetadata } from './picture-metadata.ts'
import type { PictureType } from './picture-types.ts'

const bytesOf = (...parts: (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : part)),
  )

const segment = (marker: number, ...parts: (string | readonly number[])[]): number[] => {
  const content = bytesOf(...parts)
  const length = content.length + 2
  return [0xff, marker, length >> 8, length & 0xff, ...content]
}

const exif = (orientation: number) =>
  segment(
    0xe1,
    'Exif\0\0MM',
    [0, 42, 0, 0, 0, 8, 0, 2, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 99, 0, 0, 0, 0],
    'GPS 52.5 N 13.4 E',
  )
const frame = segment(0xc0, [8, 0, 3, 0, 5, 1, 1, 17, 0])
const scan = [0xff, 0xda, 0, 2, 1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4, 0xff, 0xd9]
const profile = segment(0xe2, 'ICC_PROFILE\0 colours')
const adobe = segment(0xee, 'Adobe')

const jpegOf = (...segments: readonly number[][]) =>
  bytesOf([0xff, 0xd8], ...segments, frame, scan, 'SEFT and another picture')

test('of a JPEG the place, the text and the pictures behind it leave, and its pixels and colours stay', () => {
  const stripped = stripPictureMetadata(
    jpegOf(
      exif(1),
      segment(0xed, 'Photoshop 3.0'),
      profile,
      segment(0xe2, 'MPF\0'),
      adobe,
      segment(0xfe, 'by Ann'),
    ),
    'image/jpeg',
  )
  expect(stripped).toEqual(bytesOf([0xff, 0xd8], profile, adobe, frame, scan))
})

test.each([1, 3, 6, 8])('a JPEG that is turned by %i is shown as before', (orientation) => {
  const whole = jpegOf(exif(orientation), profile)
  const stripped = stripPictureMetadata(whole, 'image/jpeg')!
  expect(readPictureHeader(stripped)).toEqual(readPictureHeader(whole))
  expect(Buffer.from(stripped).includes('GPS')).toBe(false)
  expect(Buffer.from(stripped).includes('Exif')).toBe(orientation !== 1)
  expect(stripPictureMetadata(stripped, 'image/jpeg')).toEqual(stripped)
})

const chunk = (type: string, ...content: (string | readonly number[])[]): number[] => {
  const data = bytesOf(...content)
  return [0, 0, 0, data.length, ...bytesOf(type), ...data, 1, 2, 3, 4]
}
const pngHead = chunk('IHDR', [0, 0, 0, 2, 0, 0, 0, 1, 8, 6, 0, 0, 0])
const pngOf = (...chunks: readonly number[][]) => bytesOf([0x89], 'PNG\r\n\x1A\n', pngHead, ...chunks)

test('of a PNG texts and Exif leave, and each other chunk stays', () => {
  const [colours, pixels, end] = [chunk('gAMA', [0, 0, 0, 1]), chunk('IDAT', 'pixels'), chunk('IEND')]
  const whole = pngOf(
    chunk('eXIf', 'GPS'),
    colours,
    chunk('tEXt', 'Author'),
    pixels,
    chunk('iTXt', 'XML'),
    end,
  )
  expect(stripPictureMetadata(bytesOf([...whole], 'behind'), 'image/png')).toEqual(
    pngOf(colours, pixels, end),
  )
})

const riffChunk = (type: string, ...content: (string | readonly number[])[]): number[] => {
  const data = bytesOf(...content)
  return [...bytesOf(type), data.length, 0, 0, 0, ...data, ...(data.length % 2 ? [0] : [])]
}
const webpOf = (flags: number, ...chunks: readonly number[][]) => {
  const body = bytesOf('WEBP', riffChunk('VP8X', [flags, 0, 0, 0, 1, 0, 0, 0, 0, 0]), ...chunks)
  return bytesOf('RIFF', [body.length, 0, 0, 0], [...body])
}

test('of a WebP Exif and XMP leave, and its header says so', () => {
  const [colours, pixels] = [riffChunk('ICCP', 'abc'), riffChunk('VP8L', 'pixels')]
  const whole = webpOf(0x2c, colours, pixels, riffChunk('EXIF', 'GPS'), riffChunk('XMP ', '<x/>'))
  expect(stripPictureMetadata(whole, 'image/webp')).toEqual(webpOf(0x20, colours, pixels))
})

const whole: readonly (readonly [PictureType, Uint8Array<ArrayBuffer>])[] = [
  ['image/jpeg', jpegOf(exif(6), profile)],
  ['image/png', pngOf(chunk('eXIf', 'GPS'), chunk('IDAT', 'pixels'), chunk('IEND'))],
  ['image/webp', webpOf(0x08, riffChunk('VP8L', 'pixels'), riffChunk('EXIF', 'GPS'))],
]

test('a JPEG without its end marker loses what a camera wrote, and none of its pixels', () => {
  const open = scan.slice(0, -2)
  const cut = bytesOf([0xff, 0xd8], exif(1), profile, frame, open)
  expect(stripPictureMetadata(cut, 'image/jpeg')).toEqual(bytesOf([0xff, 0xd8], profile, frame, open))
})

test('a JPEG of several scans is whole where a table between them has the bytes of an end marker', () => {
  const first = scan.slice(0, -2)
  const table = segment(0xc4, [1, 0xff, 0xd9, 2])
  const progressive = (...between: readonly number[][]) =>
    bytesOf([0xff, 0xd8], frame, first, table, ...between, scan)
  const stripped = stripPictureMetadata(progressive(exif(1), segment(0xfe, 'by Ann')), 'image/jpeg')
  expect(stripped).toEqual(progressive())
})

test('a WebP whose last chunk lacks its padding loses Exif and XMP', () => {
  const pixels = riffChunk('VP8L', 'pixels')
  const padded = webpOf(0x08, pixels, riffChunk('EXIF', 'GPS'))
  expect(stripPictureMetadata(padded.slice(0, -1), 'image/webp')).toEqual(webpOf(0, pixels))
})

test.each(whole)('%s that ends too early, with metadata, is not taken for one without', (type, bytes) => {
  const cut = bytes.slice(0, type === 'image/jpeg' ? 30 : type === 'image/png' ? -10 : -3)
  expect(stripPictureMetadata(cut, type)).toBeNull()
})

test('Exif and XMP of an AVIF are found beyond a colour profile', () => {
  const head = bytesOf([0, 0, 0, 28], 'ftypavif', [...new Uint8Array(9_000)])
  expect(hasMetadata(head)).toBe(false)
  expect(hasMetadata(bytesOf([...head], 'infe Exif'))).toBe(true)
  expect(hasMetadata(bytesOf([...head], 'infe mime application/rdf+xml'))).toBe(true)
})

test.each(whole)('%s that is cut off anywhere, or says nothing true, throws nothing', (type, bytes) => {
  for (let length = 0; length < bytes.length; length++) {
    expect(stripPictureMetadata(bytes.slice(0, length), type)?.length ?? 0).toBeLessThanOrEqual(length + 36)
    const broken = bytes.slice()
    broken[length] = 0xff
    stripPictureMetadata(broken, type)
  }
})

test('what moves is told from what stands still', () => {
  expect(isAnimated(bytesOf('GIF89a'), 'image/gif')).toBe(true)
  expect(isAnimated(pngOf(chunk('acTL', [0, 0, 0, 2])), 'image/png')).toBe(true)
  expect(isAnimated(pngOf(chunk('IDAT', 'acid')), 'image/png')).toBe(false)
  expect(isAnimated(webpOf(0x02, riffChunk('ANIM', [0, 0, 0, 0, 0, 0])), 'image/webp')).toBe(true)
  expect(isAnimated(jpegOf(), 'image/jpeg')).toBe(false)
  // A colour profile of several kilobytes may stand before what says so.
  const profileChunks = Array.from({ length: 40 }, () => 'x'.repeat(200))
  const animation = riffChunk('ANIM', [0, 0, 0, 0, 0, 0])
  const profiles = profileChunks.map((letters) => riffChunk('ICCP', letters))
  expect(isAnimated(webpOf(0x22, ...profiles, animation), 'image/webp')).toBe(true)
  const png = profileChunks.map((letters) => chunk('iCCP', letters))
  expect(isAnimated(pngOf(...png, chunk('acTL', [0, 0, 0, 2])), 'image/png')).toBe(true)
})
