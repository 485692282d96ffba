import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { MAX_UNKNOWN_CLIENTS } from '../../lib/protocol/limits.ts'
import { createEncoder, toBytes, writeNumber } from '../../lib/protocol/wire.ts'
import type { Clocks } from './clocks.ts'
import { encodeKnownClocks, isAhead, readStateVector } from './state-vector.ts'

const NOBODY: Clocks = new Map()

const clocksOf = (entries: number): Clocks =>
  new Map(Array.from({ length: entries }, (_, client) => [client, 1]))

/** Announces the entries and holds none of them: whoever reads one finds that this is no state vector. */
function announcing(entries: number): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, entries)
  return toBytes(encoder)
}

const refusalOf = (bytes: Uint8Array, known = NOBODY) => {
  try {
    return readStateVector(bytes, known)
  } catch (error) {
    return (error as { reason: unknown }).reason
  }
}

test('a state vector reads as Yjs reads it', () => {
  const numbers = fc.nat(2 ** 32)
  fc.assert(
    fc.property(fc.array(fc.tuple(numbers, numbers)), (entries) => {
      const bytes = Y.encodeStateVector(new Map(entries))
      expect(readStateVector(bytes, NOBODY)).toEqual(Y.decodeStateVector(bytes))
    }),
  )
})

test('[A6] one of too many entries is refused before any is read', () => {
  expect(refusalOf(announcing(500_000))).toEqual({
    code: 'bad-message',
    detail: `a state vector of 500000 entries: the limit is ${MAX_UNKNOWN_CLIENTS} (MAX_UNKNOWN_CLIENTS)`,
  })
})

test('[A6] a document of many clients is read by windows that know them all, and more', () => {
  const known = clocksOf(3)
  const most = Y.encodeStateVector(new Map(clocksOf(MAX_UNKNOWN_CLIENTS + 3)))
  expect(readStateVector(most, known).size).toBe(MAX_UNKNOWN_CLIENTS + 3)
  expect(refusalOf(announcing(MAX_UNKNOWN_CLIENTS + 4), known)).toMatchObject({ code: 'bad-message' })
})

test.each([
  ['an endless number', Uint8Array.of(255, 255)],
  ['an entry that is missing', Uint8Array.of(1)],
  ['a clock that is missing', Uint8Array.of(1, 1)],
  ['bytes behind the last entry', Uint8Array.of(1, 1, 1, 1)],
])('%s is no state vector', (_what, bytes) => {
  expect(refusalOf(bytes)).toEqual({ code: 'bad-message', detail: 'not a state vector' })
})

test('somebody is ahead with text that is not known, of a known client or another', () => {
  const known = new Map([[1, 5]])
  expect([new Map([[1, 5]]), new Map([[1, 6]]), new Map([[2, 1]])].map((own) => isAhead(own, known))).toEqual(
    [false, true, true],
  )
})

test('only entries of known clients are encoded', () => {
  const encoded = encodeKnownClocks(new Map([[1, 2], [7, 9]]), new Map([[1, 5]])) // prettier-ignore
  expect(Y.decodeStateVector(encoded)).toEqual(new Map([[1, 2]]))
})
