import { expect, test } from 'vitest'
import type { AdminSample } from '@/lib/protocol/admin.ts'
import { adminStrings } from '@/lib/strings/admin.ts'
import { createAdminCharts } from './admin-charts.ts'

const createSample = (at: number, fields: Partial<AdminSample> = {}): AdminSample => ({
  at,
  sessions: {},
  messagesReceivedPerSecond: 0,
  messagesSentPerSecond: 0,
  bytesReceivedPerSecond: 0,
  bytesSentPerSecond: 0,
  acknowledgementP50Ms: null,
  acknowledgementP99Ms: null,
  loopDelayP50Ms: 0,
  loopDelayP99Ms: 0,
  storeErrors: 0,
  rooms: 0,
  queued: 0,
  residentBytes: 0,
  heapBytes: 0,
  ...fields,
})

const chartOf = (samples: readonly AdminSample[], id: string) =>
  createAdminCharts(samples).find((chart) => chart.id === id)!

test('sessions have a line for each transport that was in use, also before its first session', () => {
  const samples = [createSample(0, { sessions: { none: 1 } }), createSample(5_000, { sessions: { sse: 3 } })]
  const { lines } = chartOf(samples, 'sessions')
  expect(lines.map(({ name }) => name)).toEqual(['Server-sent events', 'No link'])
  expect(lines[0]!.points).toEqual([
    { x: -5, y: 0 },
    { x: 0, y: 3 },
  ])
})

test('a moment in which nothing was acknowledged has no point; the table has the span', () => {
  const samples = [
    createSample(0, { acknowledgementP50Ms: 4, acknowledgementP99Ms: 20 }),
    createSample(5_000),
    createSample(10_000, { acknowledgementP50Ms: 2, acknowledgementP99Ms: 12 }),
  ]
  const { lines, table } = chartOf(samples, 'acknowledgement')
  expect(lines[0]!.points.map(({ x }) => x)).toEqual([-10, 0])
  expect(table.rows).toEqual([
    ['p50', '2.0 ms', '2.0 ms', '4.0 ms'],
    ['p99', '12 ms', '12 ms', '20 ms'],
  ])
})

test('the marks of an axis have one unit, and none twice', () => {
  const marksOf = (id: string, marks: readonly number[]) => {
    const { text } = chartOf([], id).yMarks
    return marks.map((mark) => text(mark, marks.at(-1)!))
  }
  expect(marksOf('memory', [0, 50e6, 100e6])).toEqual(['0 MB', '50 MB', '100 MB'])
  expect(marksOf('memory', [0, 5e5, 1e6])).toEqual(['0 MB', '0.5 MB', '1 MB'])
  expect(marksOf('bytes', [0, 2e5, 4e5])).toEqual(['0 kB/s', '200 kB/s', '400 kB/s'])
  expect(marksOf('loop', [0, 5, 10])).toEqual(['0 ms', '5 ms', '10 ms'])
  // At the least distance, too.
  for (const { yMarks } of createAdminCharts([])) {
    const texts = [0, 1, 2, 3].map((mark) => yMarks.text(mark * yMarks.step, 3 * yMarks.step))
    expect(new Set(texts).size).toBe(4)
  }
})

test('the axes of counts have whole marks', () => {
  for (const id of ['sessions', 'errors', 'rooms']) expect(chartOf([], id).yMarks.step).toBe(1)
})

test('a chart without points says why: the server has just started, or nobody is there', () => {
  const emptyTexts = (samples: readonly AdminSample[]) =>
    ['sessions', 'acknowledgement'].map((id) => chartOf(samples, id).empty)
  expect(emptyTexts([])).toEqual([adminStrings.empty, adminStrings.empty])
  expect(emptyTexts([createSample(0)])).toEqual([
    adminStrings.idle.sessions,
    adminStrings.idle.acknowledgement,
  ])
})

test('without samples there are no points, and the tables say so', () => {
  for (const { lines, table } of createAdminCharts([])) {
    expect(lines.every(({ points }) => points.length === 0)).toBe(true)
    for (const [, ...cells] of table.rows) expect(cells).toEqual(['–', '–', '–'])
  }
})
