import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_TRACE_BYTES } from '../protocol/limits.ts'
import { readSummary } from './read-summary.ts'
import type { Percentiles, LatencySummary, EditTimeline, WindowFigures } from './latency-state.ts'
import { SummaryExchange } from './summary-exchange.ts'

const samplePercentiles: Percentiles = {
  count: 200,
  p50: 12.345678,
  p95: 23.456789,
  p99: 34.567891,
  max: 45.678912,
}

const figures = (index: number): WindowFigures => ({
  id: `window-${index}-${'x'.repeat(20)}`,
  name: `Budget plan – ${index}`,
  device: 'Chrome on Linux',
  person: 'Ada Lovelace',
  own: true,
  sameBrowser: index % 2 === 0,
  present: true,
  boundMs: 0.123456,
  received: samplePercentiles,
  applied: samplePercentiles,
  painted: samplePercentiles,
  hidden: 0,
  paths: { browser: 150, server: 50 },
})

const timeline = (edit: number): EditTimeline => ({
  edit,
  key: 1_700_000_000_000.123 + edit,
  by: 'input',
  made: 0.4,
  link: { transport: 'poll', protocol: 'h2', up: 'batched posts', simulated: true },
  ownPaint: 9.87654321,
  sent: 0.6,
  acknowledged: 3.2,
  saved: 3.3,
  arrivals: [{ window: 'w', received: 2, applied: 3, painted: 'hidden', path: 'browser', boundMs: 0.1 }],
})

const own = {
  ownPaint: samplePercentiles,
  sent: samplePercentiles,
  acknowledged: samplePercentiles,
  saved: samplePercentiles,
}

const summaryOf = (
  windows: number,
  edits: number,
): LatencySummary & { id: string; name: string; device: string } => ({
  id: 'one',
  name: 'Outline – Budget plan',
  device: 'Safari on iPad',
  link: { transport: 'sse', protocol: 'h2', up: 'streamed body' },
  simulated: false,
  roundTrip: { now: 3, base: 2, history: Array.from({ length: 120 }, (_, at) => ({ at, ms: 3.3 })) },
  own,
  windows: Array.from({ length: windows }, (_, index) => figures(index)),
  earlier: [
    { link: { transport: 'poll', protocol: 'h2', up: 'batched posts', simulated: true }, edits: 3, own },
  ],
  queue: { edits: 1, bytes: 30 },
  traffic: { at: 1_700_000_000_000.123, up: 123_456, down: 654_321 },
  perKey: { up: 60, down: 55 },
  reconnects: 2,
  switches: Array.from({ length: 50 }, (_, at) => ({
    at,
    from: 'websocket',
    to: 'sse',
    reason: 'chosen by you',
  })),
  timelines: Array.from({ length: edits }, (_, index) => timeline(index)),
})

const receipt = { sameBrowser: true, at: 5 }

test('a summary is read whole within a browser', () => {
  const given = summaryOf(4, 20)
  expect(readSummary(SummaryExchange.encode(given, false), receipt)).toEqual({ ...given, ...receipt })
})

test.each([
  [0, 0],
  [1, 20],
  [8, 20],
  [60, 20],
])(
  'for another device, with %i windows and %i edits, it fits into one trace and keeps its figures',
  (windows, edits) => {
    const text = SummaryExchange.encode(summaryOf(windows, edits), true)
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_TRACE_BYTES - 8)
    const read = readSummary(text, receipt)
    expect(read).toMatchObject({ id: 'one', own: { saved: { count: 200, p50: 12.35 } }, reconnects: 2 })
    expect(read!.windows.length).toBe(Math.min(windows, read!.windows.length))
    if (edits > 0 && windows < 8) expect(read!.timelines.at(-1)).toMatchObject({ edit: edits - 1 })
  },
)

test('[A6] anything else is no summary', () => {
  for (const text of ['', '{}', 'null', '[]', '7', '{"id":7}']) expect(readSummary(text, receipt)).toBe(null)
})

const optionalField =
  /^(link|perKey|roundTrip\.(now|base)|roundTrip\.history\.\d+\.link|windows\.\d+\.boundMs|(.*\.)?link\.(shared|simulated)|timelines\.\d+\.(link|ownPaint|sent|acknowledged|saved))$/

/** The innermost part of a summary around a field that may be left out: a list's entry, or an optional field. */
const dispensablePart = (path: readonly string[]): readonly string[] | undefined =>
  path
    .map((_, index) => path.slice(0, path.length - index))
    .find((part) => /^\d+$/.test(part.at(-1)!) || optionalField.test(part.join('.')))

function remove(value: unknown, path: readonly string[]): void {
  const parent = path.slice(0, -1).reduce((at, key) => (at as Record<string, unknown>)[key], value)
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
  else delete (parent as Record<string, unknown>)[path.at(-1)!]
}

const pathsOf = (value: unknown, path: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])])
    : []

/** Objects that the original shares are separate in the copy. */
const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

test('[A6] a summary without a field lacks the list entry or optional field around it, or is none', () => {
  const given = summaryOf(1, 1)
  for (const path of pathsOf(given)) {
    const broken = copyOf(given)
    remove(broken, path)
    const part = dispensablePart(path)
    const expected = part ? { ...copyOf(given), ...receipt } : null
    if (part) remove(expected, part)
    expect(readSummary(JSON.stringify(broken), receipt), path.join('.')).toEqual(expected)
  }
})

test('[A6] a wrong value anywhere throws nothing, and leaves figures that are numbers', () => {
  const given = summaryOf(1, 1)
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(given)), fc.constantFrom(null, {}, 'x', -1, []), (path, wrong) => {
      const broken = copyOf(given) as unknown as Record<string, unknown>
      const parent = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, broken)
      parent[path.at(-1)!] = wrong
      const read = readSummary(JSON.stringify(broken), receipt)
      expect(read === null || typeof read.own.saved.p50 === 'number').toBe(true)
    }),
  )
})
