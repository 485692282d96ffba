import { expect, test } from 'vitest'
import type { Figures } from '../crowd/measure.ts'
import { emptyAudit } from '../crowd/ledger.ts'
import { figures, outcome } from '../fixtures/crowd.ts'
import { report as broadcastReport } from './broadcast-report.ts'
import { report as openReport } from './open-report.ts'

const broadcast = (part: 'many' | 'at once', ours: Figures, theirs: Figures) =>
  broadcastReport([
    outcome('diptych', 'websocket', { part, clients: 200 }, ours),
    outcome('hocuspocus', 'websocket', { part, clients: 200 }, theirs),
  ])

test('the aims of broadcast are ratios to Hocuspocus in the same run, and a time of its own', () => {
  const many = broadcast('many', figures(4, 10), figures(10, 5)).aims
  expect(many.map(({ measured, reached }) => [Number(measured.toFixed(1)), reached])).toEqual([
    [0.4, true],
    [10, true],
  ])
  const [burst] = broadcast('at once', figures(4, 90), figures(10, 100)).aims
  expect(burst).toMatchObject({ limit: 0.33, reached: false })
})

test('what a crowd found wrong is said in words', () => {
  const wrong = figures(4, 10)
  const tally = { ...wrong.tally, audit: { ...emptyAudit(), missing: 3 }, lost: { count: 1, why: 'gone' } }
  const { notes } = broadcast('many', { ...wrong, tally }, figures(10, 5))
  expect(notes).toContain('Diptych, WebSocket, many clients, round 1: 1 connections ended (gone).')
  expect(notes).toContain(
    'Diptych, WebSocket, many clients, round 1: deliveries 3 missing, 0 doubled, 0 out of order.',
  )
})

test('why p99 was missed: what the disk took, and what Diptych has without it', () => {
  const about = { part: 'many' as const, clients: 200 }
  const [ours, ram, relay, theirs] = [
    outcome('diptych', 'websocket', about, figures(8, 30)),
    outcome('diptych', 'websocket, data on a RAM disk', about, figures(8, 12)),
    outcome('relay', 'websocket', about, figures(6, 3)),
    outcome('hocuspocus', 'websocket', about, figures(10, 40)),
  ]
  const { aims, headlines, notes } = broadcastReport([{ ...ours, fsync: [0.4, 480] }, ram, relay, theirs])
  const [cpu, p99] = aims
  expect(p99).toMatchObject({ measured: expect.closeTo(30, 0) as number, reached: false })
  expect(p99?.reason).toContain('p50 0.40 ms, p99 480.0 ms, the longest of 2 480.0 ms')
  expect(p99?.reason).toContain('where a sync takes no time, Diptych had 12.0 ms')
  expect(cpu?.reason).toContain('6.00 µs in the same run, 0.60 × of Hocuspocus. Diptych also checks')
  expect(headlines[1]).toMatchObject({
    ours: '30.0 ms',
    beside: 'Hocuspocus 40.0 ms; Diptych on a RAM disk 12.0 ms',
    aims: [p99],
  })
  expect(notes.join()).toContain('No aim counts it.')
  expect(broadcastReport([ours, theirs]).notes.join()).toContain('not measured on a RAM disk')
})

test('the aim of all at once stands in its row', () => {
  const { headlines, aims } = broadcast('at once', figures(4, 90), figures(10, 100))
  expect(headlines).toMatchObject([{ ours: '90.0 ms', beside: 'Hocuspocus 100.0 ms', aims }])
})

test('two texts of different lengths are not compared in silence', () => {
  const joined = {
    kind: 'headless',
    coldMs: 10,
    warmMs: [5],
    coldCpuMs: 1,
    warmCpuMs: 1,
    residentKiB: 1,
  } as const
  const about = { edits: 1_000 }
  const { aims, headlines, notes, charts } = openReport([
    outcome('diptych', 'headless', about, { ...joined, letters: 700 }),
    outcome('hocuspocus', 'headless', about, { ...joined, coldMs: 40, letters: 699 }),
    outcome('diptych', 'browser', about, {
      kind: 'browser',
      cold: { painted: 600, editable: 700 },
      warm: { painted: 400, editable: 500 },
    }),
  ])
  const median = (ms: number) => ({ median: ms, least: ms, most: ms })
  expect(charts).toMatchObject([
    {
      groups: [
        'Without a browser, cold',
        'Without a browser, warm',
        'In the editor, cold: painted',
        'In the editor, cold: editable',
        'In the editor, warm: painted',
        'In the editor, warm: editable',
      ],
      series: [
        { name: 'Diptych', values: [10, 5, 600, 700, 400, 500].map(median) },
        { name: 'Hocuspocus', values: [...[40, 5].map(median), null, null, null, null] },
      ],
    },
  ])
  expect(aims.map(({ measured }) => measured)).toEqual([0.25, 1])
  expect(headlines.map(({ ours, beside, aims: [aim] = [] }) => [ours, beside, aim?.reached])).toEqual([
    ['10 ms', 'Hocuspocus 40 ms', true],
    ['5 ms', 'Hocuspocus 5 ms', false],
    ['600 ms, 700 ms', undefined, undefined],
  ])
  expect(notes.at(-1)).toBe('The texts are not alike: 700, 699 letters.')
})
