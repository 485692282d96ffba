import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_STRING_BYTES } from './limits.ts'
import type { Decoder, Encoder } from './wire.ts'
import {
  createDecoder,
  createEncoder,
  hasMoreBytes,
  ProtocolError,
  readBytes,
  readFlag,
  readNumber,
  readString,
  toBytes,
  writeBytes,
  writeFlag,
  writeNumber,
  writeString,
} from './wire.ts'

function written(write: (encoder: Encoder) => void): Uint8Array {
  const encoder = createEncoder()
  write(encoder)
  return toBytes(encoder)
}

function back<T>(write: (encoder: Encoder) => void, read: (decoder: Decoder) => T): T {
  const decoder = createDecoder(written(write))
  const value = read(decoder)
  expect(hasMoreBytes(decoder)).toBe(false)
  return value
}

/** Puts the bytes into the middle of memory that belongs to somebody else, as Node's pool does. */
function pooled(...bytes: number[]): Uint8Array {
  const pool = new Uint8Array(500).fill(0x41)
  pool.set(bytes, 100)
  return pool.subarray(100, 100 + bytes.length)
}

test('numbers, bytes, texts and flags are read as they were written', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      expect(back((encoder) => writeNumber(encoder, value), readNumber)).toBe(value)
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1000 }), (value) => {
      expect(
        Buffer.compare(
          back((encoder) => writeBytes(encoder, value), readBytes),
          value,
        ),
      ).toBe(0)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (value) => {
      expect(back((encoder) => writeString(encoder, value), readString)).toBe(value)
    }),
  )
  for (const value of [true, false])
    expect(back((encoder) => writeFlag(encoder, value), readFlag)).toBe(value)
})

test.each(['\uFEFFmarked', '\uFEFF', 'a\uFEFFb', '\u0000', '😀'])(
  'the text %j keeps its first character',
  (text) => expect(back((encoder) => writeString(encoder, text), readString)).toBe(text),
)

describe('a number', () => {
  test.each([
    ['with no end', [0xff]],
    ['of nothing', []],
    ['over the safe integers', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['of many bytes', Array.from({ length: 40 }, () => 0xff)],
    // lib0 multiplies 0 by 128 ^ 147, which is infinite: NaN would break every comparison.
    ['padded until it is not a number', [...Array.from({ length: 200 }, () => 0x80), 0x01]],
    ['padded with zeros', [...Array.from({ length: 200 }, () => 0x80), 0x00]],
  ])('%s is refused', (_what, bytes) => {
    const decoder = createDecoder(pooled(...bytes))
    expect(() => readNumber(decoder)).toThrow(ProtocolError)
  })

  test('that continues in the memory after its frame is not read from there', () => {
    const pool = new Uint8Array([0xff, 0xff, 0x01])
    expect(() => readNumber(createDecoder(pool.subarray(0, 2)))).toThrow(ProtocolError)
    expect(readNumber(createDecoder(pool))).toBe(0x7fff)
  })
})

describe('bytes', () => {
  test('with a length over what is left are refused, whatever follows the frame', () => {
    const frame = pooled(5, 1, 2)
    expect(() => readBytes(createDecoder(frame))).toThrow(/a length of 5 with 2 bytes left/)
  })

  test('are a view within the frame, wherever that lies', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const view = readBytes(createDecoder(pooled(...written((encoder) => writeBytes(encoder, bytes)))))
        expect(view).toEqual(bytes)
        expect(view.byteOffset).toBe(101)
      }),
    )
  })

  test('of a length near the largest safe number are refused', () => {
    const huge = written((encoder) => writeNumber(encoder, Number.MAX_SAFE_INTEGER))
    expect(() => readBytes(createDecoder(huge))).toThrow(ProtocolError)
  })
})

test('a text over the limit, or that is not UTF-8, is refused with the reason', () => {
  const long = written((encoder) => writeString(encoder, 'x'.repeat(MAX_STRING_BYTES + 1)))
  expect(() => readString(createDecoder(long))).toThrow(/4097 bytes; the limit is 4096/)
  expect(() => readString(createDecoder(pooled(2, 0xc3, 0x28)))).toThrow(ProtocolError)
})

test('a flag is 0 or 1', () => {
  expect(() => readFlag(createDecoder(pooled(2)))).toThrow(ProtocolError)
  expect(() => readFlag(createDecoder(pooled()))).toThrow(ProtocolError)
})
