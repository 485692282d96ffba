import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { headerOf, readFileHeader } from './file-header.ts'

const plain = (type: string) => ({ type, width: null, height: null })

test.each([
  ['PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000108060000', 'hex'), 'image/png', 2, 1],
  ['SVG', '<svg width="20" height="10px" xmlns="…"><script/></svg>', 'image/svg+xml', 20, 10],
  [
    'SVG with a box',
    '\uFEFF<?xml version="1.0"?>\n<!-- > -->\n<!DOCTYPE svg>\n<svg viewBox="0 0 30,15" width="100%"/>',
    'image/svg+xml',
    30,
    15,
  ],
  ['SVG without a size', '<svg>', 'image/svg+xml', null, null],
])('%s is known by its bytes, with its size', (_name, bytes, type, width, height) => {
  expect(headerOf(Buffer.from(bytes as string))).toMatchObject({ type, width, height })
})

test.each([
  ['%PDF-1.7', 'application/pdf'],
  ['ID3\x04', 'audio/mpeg'],
  ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
  ['\0\0\0\x18ftypisom', 'video/mp4'],
  ['\0\0\0\x18ftypheic', 'image/heic'],
  ['\0\0\0\x18ftypzzzz', 'application/octet-stream'],
  ['\x1A\x45\xDF\xA3', 'video/webm'],
  ['PK\x03\x04', 'application/octet-stream'],
  ['<html><svg>', 'application/octet-stream'],
  ['<!-- <svg>', 'application/octet-stream'],
  ['<!DOCTYPE svg [<!ENTITY a "b">]><svg>', 'application/octet-stream'],
  ['<html>%PDF-1.7', 'application/octet-stream'],
  ['GIF89', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('%j is %s', (letters, type) => {
  expect(headerOf(Buffer.from(letters, 'latin1'))).toEqual(plain(type))
})

/** A directory of 65,535 entries, which each of the segments before it names. */
function pictureWithManyDirectories(): Buffer {
  const segments = 10_000
  const segmentBytes = 24
  const directory = Buffer.alloc(2 + 65_535 * 12, 1)
  const start = 2 + segments * segmentBytes
  const picture = Buffer.alloc(start + directory.length)
  picture.writeUInt16BE(0xff_d8)
  for (let index = 0; index < segments; index++) {
    const at = 2 + index * segmentBytes
    picture.writeUInt16BE(0xff_e1, at)
    picture.writeUInt16BE(segmentBytes - 2, at + 2)
    picture.write('Exif\0\0MM', at + 4, 'latin1')
    picture.writeUInt32BE(start - (at + 10), at + 14)
  }
  directory.writeUInt16BE(0xff_ff)
  directory.copy(picture, start)
  return picture
}

test('[A6] the directories of a picture are read once, not once for each segment', () => {
  const picture = pictureWithManyDirectories()
  let reads = 0
  const original = DataView.prototype.getUint16
  DataView.prototype.getUint16 = function (this: DataView, ...at) {
    reads += 1
    return original.apply(this, at)
  }
  try {
    headerOf(picture)
  } finally {
    DataView.prototype.getUint16 = original
  }
  expect(reads).toBeLessThan(200_000)
})

test('[A6] reads the beginning of a file alone', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'long')
  await writeFile(path, Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(3_000_000)]))
  expect(await readFileHeader(path)).toEqual(plain('application/pdf'))
  await writeFile(path, '')
  expect(await readFileHeader(path)).toEqual(plain('application/octet-stream'))
})
