import { expect, test } from 'vitest'
import { isHeicHeader, type PictureHeader, readPictureHeader } from './picture-header.ts'

/** One pixel high and two wide, but for where the test says otherwise. */
const headers: readonly (readonly [string, string, PictureHeader | null])[] = [
  [
    'PNG',
    '89504e470d0a1a0a 0000000d 49484452 00000002 00000001 08060000',
    { type: 'image/png', width: 2, height: 1 },
  ],
  ['GIF', '474946383961 0200 0100 800000', { type: 'image/gif', width: 2, height: 1 }],
  [
    'JPEG',
    'ffd8 ffe0 0010 4a46494600010100000100010000 ffc4 0004 0000 ffc0 0011 08 0001 0002 03012200021101031101',
    { type: 'image/jpeg', width: 2, height: 1 },
  ],
  [
    'JPEG that the camera turned',
    'ffd8 ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 00060000 00000000 ffc2 0011 08 0001 0002 03',
    { type: 'image/jpeg', width: 1, height: 2 },
  ],
  [
    'JPEG that the camera did not turn',
    'ffd8 ffe1 0022 457869660000 49492a0008000000 0100 1201 0300 01000000 01000000 00000000 ffc0 0011 08 0001 0002 03',
    { type: 'image/jpeg', width: 2, height: 1 },
  ],
  [
    'WebP with losses',
    '52494646 24000000 57454250 56503820 18000000 300100 9d012a 0200 0100',
    { type: 'image/webp', width: 2, height: 1 },
  ],
  [
    'WebP without losses',
    '52494646 24000000 57454250 5650384c 18000000 2f 01000000',
    { type: 'image/webp', width: 2, height: 1 },
  ],
  [
    'WebP with more than a picture',
    '52494646 24000000 57454250 56503858 0a000000 10000000 010000 000000',
    { type: 'image/webp', width: 2, height: 1 },
  ],
  [
    'AVIF',
    '0000001c 66747970 61766966 00000000 61766966 6d696631 6d696166' +
      '00000034 6d657461 00000000 00000028 69707270 00000020 6970636f 00000014 69737065 00000000 00000002 00000001 00000004',
    { type: 'image/avif', width: 2, height: 1 },
  ],
  [
    'AVIF that is turned',
    '0000001c 66747970 61766966 00000000 61766966 6d696631 6d696166' +
      '00000039 6d657461 00000000 0000002d 69707270 00000025 6970636f 00000014 69737065 00000000 00000002 00000001 00000009 69726f74 01',
    { type: 'image/avif', width: 1, height: 2 },
  ],
  ['a picture without pixels', '89504e470d0a1a0a 0000000d 49484452 00000000 00000001 08060000', null],
  ['a film', '00000018 66747970 69736f6d 00000000 69736f6d 6d703432', null],
  ['HEIC', '00000018 66747970 68656963 00000000 68656963 6d696631', null],
  [
    'an AVIF whose boxes have no size',
    '00000018 66747970 61766966 00000000 61766966 6d696631 00000000 6d657461',
    null,
  ],
  ['a JPEG whose segments have no length', `ffd8 ${'ffe0 0000 '.repeat(20)}`, null],
]

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

test.each(headers)('%s is read by its bytes', (_name, hex, expected) => {
  expect(readPictureHeader(bytesOf(hex))).toEqual(expected)
})

test.each(headers.filter(([, , expected]) => expected))(
  '%s that is cut off anywhere throws nothing',
  (_name, hex, expected) => {
    const bytes = bytesOf(hex)
    for (let length = 0; length < bytes.length; length++)
      expect([null, expected]).toContainEqual(readPictureHeader(bytes.subarray(0, length)))
  },
)

test.each(['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', '', 'GIF8', '%PDF-1.7'])(
  '%j is no picture',
  (text) => {
    expect(readPictureHeader(new TextEncoder().encode(text))).toBeNull()
  },
)

test('HEIC is known by its bytes, and nothing else is', () => {
  expect(isHeicHeader(bytesOf('00000018 66747970 68656963 00000000 68656963 6d696631'))).toBe(true)
  for (const [name, hex] of headers) if (name !== 'HEIC') expect(isHeicHeader(bytesOf(hex)), name).toBe(false)
  expect(isHeicHeader(bytesOf(''))).toBe(false)
})
