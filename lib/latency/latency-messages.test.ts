import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_TRACE_BYTES } from '../protocol/limits.ts'
import { createEncoder, toBytes, writeNumber } from '../protocol/wire.ts'
import {
  encodeLatencyMessage,
  MAX_REPORT_ROWS,
  type LatencyMessage,
  readLatencyMessage,
} from './latency-messages.ts'

const text = fc.string({ unit: 'binary', maxLength: 60 })
const number = fc.nat(2 ** 31)
/** Whole µs, as the message encodes them. */
const span = fc.nat(2 ** 30).map((micros) => micros / 1000)
const moment = fc.nat(1e9).map((micros) => (1_700_000_000_000_000 + micros) / 1000)
const row = fc.record({
  edit: number,
  received: moment,
  applied: span,
  painted: fc.oneof(span, fc.constant('hidden' as const)),
  path: fc.constantFrom('browser' as const, 'server' as const),
})
const offset = fc.record({
  ms: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map((micros) => micros / 1000),
  boundMs: fc.integer({ min: 1, max: 1e9 }).map((micros) => micros / 1000),
})

const messageArbitraries: {
  readonly [T in LatencyMessage['type']]: fc.Arbitrary<Extract<LatencyMessage, { type: T }>>
} = {
  observe: fc.record({ type: fc.constant('observe'), scope: fc.constantFrom('window', 'person') }),
  identity: fc.record({
    type: fc.constant('identity'),
    window: text,
    browser: text,
    name: text,
    device: text,
  }),
  stamp: fc.record({ type: fc.constant('stamp'), opening: number, edit: number, clock: number }),
  report: fc.record({
    type: fc.constant('report'),
    opening: number,
    offset: fc.option(offset),
    rows: fc.array(row, { minLength: 1, maxLength: MAX_REPORT_ROWS }),
  }),
  summary: fc.record({ type: fc.constant('summary'), summary: text }),
}

/** Rounds to a thousandth of a µs, since sums of fractions are slightly off. */
const rounded = (message: LatencyMessage): unknown =>
  JSON.parse(
    JSON.stringify(message, (_key, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 1000) / 1000 + 0 : value,
    ),
  )

test.each(Object.entries(messageArbitraries))('%s is read as it was written', (_type, arbitrary) => {
  fc.assert(
    fc.property(arbitrary as fc.Arbitrary<LatencyMessage>, (message) => {
      expect(rounded(readLatencyMessage(encodeLatencyMessage(message))!)).toEqual(rounded(message))
    }),
  )
})

test('a full report fits into one trace', () => {
  const rows = Array.from({ length: MAX_REPORT_ROWS }, (_, index) => ({
    edit: 2 ** 31 + index,
    received: 1_800_000_000_000 + index * 1_000,
    applied: 60_000,
    painted: 60_000,
    path: 'server' as const,
  }))
  const bytes = encodeLatencyMessage({
    type: 'report',
    opening: 2 ** 31,
    offset: { ms: -1e9, boundMs: 1e5 },
    rows,
  })
  expect(bytes.length).toBeLessThan(MAX_TRACE_BYTES)
})

describe('[A6] bytes that others send', () => {
  test('are a message or none, and never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = readLatencyMessage(bytes)
        expect(message === null || message.type in messageArbitraries).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('hold no more rows than the limit, whatever they say', () => {
    const encoder = createEncoder()
    for (const value of [4, 1, 0, 0, 1e9]) writeNumber(encoder, value)
    expect(readLatencyMessage(toBytes(encoder))).toBe(null)
  })

  test('are no message where they are cut short or have more at the end', () => {
    const bytes = encodeLatencyMessage({ type: 'stamp', opening: 1_000, edit: 2_000, clock: 3_000 })
    for (let length = 0; length < bytes.length; length++)
      expect(readLatencyMessage(bytes.subarray(0, length))).toBe(null)
    expect(readLatencyMessage(Uint8Array.of(...bytes, 0))).toBe(null)
  })
})
