import { expect, test } from 'vitest'
import { type Data, laneNames, reportOf } from './dashboard-report.ts'

const outcome = (lane: string, ms: readonly number[], round = 1) => ({
  trial: { subject: 'diptych', lane, params: {}, round },
  data: {
    drawn: ms.map((one, index) => ({ seed: index + 1, ms: one, failed: 0, slowestMs: 5_000 })),
    serverCpuMs: 40,
    way: lane,
  } satisfies Data,
  at: '2026-11-01T12:00:00.000Z',
  seconds: 6,
  load: 0.1,
  saturated: false,
})

test('each way’s time stands beside the slowest answer, and beside what was published', () => {
  const outcomes = laneNames.map((lane) =>
    outcome(lane, lane === 'requests http/1.1' ? [27_000, 29_000] : [5_060, 5_100]),
  )
  const { tables, aims, headlines } = reportOf(outcomes)
  const row = tables[0]!.rows.find(([name]) => typeof name === 'string' && name.startsWith('requests h2'))!
  expect(row[1]).toMatchObject({ median: expect.closeTo(5.08, 3) as number })
  expect(row[4]).toBe(5.3)
  expect(aims.map(({ reached }) => reached)).toEqual([true, true])
  expect(headlines[0]).toMatchObject({ ours: '5.08 s, 5.08 s, 28.00 s' })
})

test('a run that was broken off shows what there is', () => {
  const { tables, aims, headlines } = reportOf([outcome('session sse', [6_000])])
  expect(tables[0]!.rows.length).toBe(1)
  expect([aims, headlines]).toEqual([[], []])
})
