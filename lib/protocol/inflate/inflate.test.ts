import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inflate as inflateInBrowser } from './browser.ts'
import { inflate as inflateInNode } from './node.ts'

const strategies = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FIXED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
]

/** Bytes with few values repeat; all of them hardly do. */
const bytes = fc
  .integer({ min: 0, max: 255 })
  .chain((max) => fc.uint8Array({ max, maxLength: 4_000, size: 'max' }))

const deflated = fc
  .tuple(bytes, fc.constantFrom(...strategies), fc.integer({ min: 0, max: 9 }))
  .map(([content, strategy, level]) => ({ content, packed: deflateRawSync(content, { strategy, level }) }))

const resultOf = (inflate: typeof inflateInNode, packed: Uint8Array, most: number): Uint8Array | null => {
  try {
    return Uint8Array.from(inflate(packed, most))
  } catch {
    return null
  }
}

test('a page inflates what was deflated, and refuses more than it asked for', () => {
  const property = fc.property(deflated, ({ content, packed }) => {
    expect(resultOf(inflateInBrowser, packed, content.length)).toEqual(content)
    if (content.length > 0) expect(resultOf(inflateInBrowser, packed, content.length - 1)).toBeNull()
  })
  fc.assert(property, { numRuns: 300 })
})

test('a page reads damaged bytes as Node does', () => {
  const damage = fc.tuple(deflated, fc.nat(), fc.nat(7), fc.nat())
  const property = fc.property(damage, ([{ content, packed }, at, bit, cut]) => {
    packed[at % packed.length]! ^= 1 << bit
    const damaged = packed.subarray(0, packed.length - (cut % 3))
    const most = content.length + 1
    expect(resultOf(inflateInBrowser, damaged, most)).toEqual(resultOf(inflateInNode, damaged, most))
  })
  fc.assert(property, { numRuns: 500 })
})
