import { expect, test } from 'vitest'
import type { Figures } from '../crowd/measure.ts'
import { emptyAudit } from '../crowd/ledger.ts'
import { samplesOf } from '../support/histogram.ts'
import type { Params } from '../support/scenario.ts'
import { report as broadcastReport } from './broadcast-report.ts'
import { report as lossReport } from './loss-report.ts'
import { report as openReport } from './open-report.ts'

const outcome = <Of extends Params, Data>(subject: string, lane: string, params: Of, data: Data) => ({
  trial: { subject, lane, params, round: 1 },
  data,
  at: '2026-11-22T00:00:00.000Z',
  seconds: 1,
  load: 0.5,
  saturated: false,
})

const figures = (cpuMs: number, ms: number): Figures => ({
  tally: {
    sent: 10,
    acknowledged: 10,
    delivered: 1_000,
    audit: { ...emptyAudit(), delivered: 1_000 },
    lost: { count: 0, why: '' },
    delivery: [samplesOf([ms])],
    acknowledgement: [samplesOf([ms])],
    lateness: [samplesOf([0])],
    perSecond: [{ sent: 10, delivered: 1_000 }],
  },
  seconds: 1,
  serverCpuMs: cpuMs,
  residentKiB: 1024,
})

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
  expect(notes).toContain('diptych, websocket, many, round 1: 1 connections ended (gone).')
  expect(notes).toContain(
    'diptych, websocket, many, round 1: deliveries 3 missing, 0 doubled, 0 out of order.',
  )
})

test('loss adds up what is missing at receivers and in the store', () => {
  const about = { users: 50, nodes: 1 }
  const rounds = [1, 2, 3].map((meanMs) => ({ meanMs, p99Ms: meanMs }))
  const lost = { count: 0, why: '' }
  const audit = { ...emptyAudit(), delivered: 7_000 }
  const all = { rounds, audit, lost, stored: 150 }
  const whole = lossReport([outcome('diptych', 'websocket', about, all)])
  expect(whole.aims[0]).toMatchObject({ measured: 0, reached: true })
  const less = { ...all, audit: { ...audit, missing: 2 }, stored: 149 }
  expect(lossReport([outcome('diptych', 'websocket', about, less)]).aims[0]).toMatchObject({
    measured: 3,
    reached: false,
  })
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
  const { aims, notes } = openReport([
    outcome('diptych', 'headless', about, { ...joined, letters: 700 }),
    outcome('hocuspocus', 'headless', about, { ...joined, coldMs: 40, letters: 699 }),
  ])
  expect(aims.map(({ measured }) => measured)).toEqual([0.25, 1])
  expect(notes.at(-1)).toBe('The texts are not alike: 700, 699 letters.')
})
