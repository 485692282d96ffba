import { deflateRawSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inflate as inBrowser } from './inflate/browser.ts'
import { inflate as inNode } from './inflate/node.ts'
import { encodeServerMessage, readServerMessages } from './message.ts'
import { MAX_DOCUMENT_BYTES } from './limits.ts'
import { encodePackedUpdate, decodePackedUpdate } from './packed-update.ts'
import { ProtocolError } from './wire.ts'

const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40_000, size: 'max' }),
  fc.uint8Array({ maxLength: 3, max: 2 }).map((few) => new Uint8Array(50_000).fill(few[0] ?? 7)),
)

test('what zlib deflates at any level is the same bytes again', () => {
  const same = fc.property(someBytes, fc.integer({ min: 0, max: 9 }), (bytes, level) => {
    expect(decodePackedUpdate(encodePackedUpdate(bytes, deflateRawSync(bytes, { level })))).toEqual(bytes)
  })
  fc.assert(same)
})

test('a packed update is read as the first of the updates, and is not sent twice', () => {
  const [long, short] = [new Uint8Array(30_000).fill(1), Uint8Array.of(2, 3)]
  const head = {
    type: 'attached',
    number: 1,
    channel: 1,
    role: 'owner',
    stateVector: Uint8Array.of(0),
  } as const
  const message = { ...head, updates: [long, short], packed: encodePackedUpdate(long, deflateRawSync(long)) }
  const bytes = encodeServerMessage(message)
  expect(bytes.length).toBeLessThan(200)
  expect(readServerMessages(bytes)).toEqual([{ ...head, updates: [long, short] }])
})

test.each([
  [
    'a length over the limit',
    encodePackedUpdate(new Uint8Array(0), new Uint8Array(0)),
    MAX_DOCUMENT_BYTES + 1,
  ],
  ['more than it says', deflateRawSync(new Uint8Array(500).fill(1)), 499],
  ['less than it says', deflateRawSync(new Uint8Array(500).fill(1)), 501],
  ['nothing', new Uint8Array(0), 5],
  ['no deflated bytes', new Uint8Array(50).fill(255), 50],
])('%s is refused', (_name, deflated, length) => {
  const lying = encodePackedUpdate({ length } as Uint8Array, deflated)
  expect(() => decodePackedUpdate(lying)).toThrow(ProtocolError)
})

test('random bytes are refused, or give as many bytes as they announce', () => {
  const refused = fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
    try {
      decodePackedUpdate(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError)
    }
  })
  fc.assert(refused, { numRuns: 2_000 })
})

describe.each([
  ['a browser', inBrowser],
  ['Node', inNode],
])('inflated in %s', (_name, inflate) => {
  test('what zlib deflates at any level is the same bytes again', () => {
    const same = fc.property(someBytes, fc.integer({ min: 0, max: 9 }), (bytes, level) => {
      expect(Buffer.compare(inflate(deflateRawSync(bytes, { level }), bytes.length + 1), bytes)).toBe(0)
    })
    fc.assert(same)
  })

  test.each([
    ['more than is asked for', deflateRawSync(new Uint8Array(500).fill(1)), 499],
    ['nothing', new Uint8Array(0), 499],
    ['no deflated bytes', new Uint8Array(50).fill(255), 499],
  ])('%s is no whole answer', (_what, deflated, length) => {
    const lengthOf = (): number => {
      try {
        return inflate(deflated, length + 1).length
      } catch {
        return -1
      }
    }
    expect(lengthOf()).not.toBe(length)
  })
})
