import { expect, test } from 'vitest'
import { emptyAudit } from '../crowd/ledger.ts'
import { figures, outcome as outcomeOf } from '../fixtures/crowd.ts'
import { samplesOf } from '../support/histogram.ts'
import type { Section } from '../report/section.ts'
import type { Params } from '../support/scenario.ts'
import { report as broadcastReport } from './broadcast-report.ts'
import { report as lossReport } from './loss-report.ts'
import { sectionOf as networksReport } from './networks-report.ts'
import { reportOf as payloadReport } from './payload-report.ts'
import { reportOf as replayReport } from './replay-report.ts'
import { reportOf as soakReport } from './soak-report.ts'
import { reportOf as switchReport } from './switch-report.ts'

const outcome = <Of extends Params, Data>(lane: string, params: Of, data: Data, round = 1) => {
  const made = outcomeOf('diptych', lane, params, data)
  return { ...made, trial: { ...made.trial, round } }
}

const reasonsOf = ({ aims }: Section) => aims.map(({ reached, reason }) => (reached ? 'reached' : reason))

test('switch: what was lost is said with its round', () => {
  const data = { tokens: 90, disordered: 0, calm: [1], switching: [1], gaps: [1], unlinked: [1], switches: 7 }
  const rounds = [0, 3].map((lost, index) =>
    outcome('all', {}, { ...data, took: [1], lost, doubled: 0 }, index + 1),
  )
  const section = switchReport(rounds)
  expect(reasonsOf(section)).toEqual([
    expect.stringContaining(
      'Found in round 2: 3 lost, 0 doubled, 0 out of order, of 90 tokens and after 7 switches.',
    ),
    'reached',
  ])
  expect(section.headlines[0]?.ours).toBe('3 lost, 0 doubled of 180')
})

const replayed = (lane: string, transactions: number, windows = true) =>
  outcome(
    lane,
    { transactions },
    {
      seconds: 1,
      equal: { windows, store: true, wholeTrace: true },
      serverCpuMs: 1,
      bytes: { up: 1, down: 1 },
      letters: 1,
    },
  )

test('replay: what was not played whole is not said to be, and what differs is named', () => {
  const part = replayReport([replayed('sse', 26_078), replayed('poll', 2_608)])
  expect(part.headlines[0]?.ours).toBe('equal to the trace by each; Polling played its first 10 %')
  expect(replayReport([replayed('sse', 1_000)]).headlines[0]?.ours).toBe('equal to the trace by each')
  const different = replayReport([replayed('sse', 1_000, false)])
  expect(different.headlines[0]?.ours).toBe('1 differ')
  expect(reasonsOf(different)).toEqual([
    expect.stringContaining('Found in Server-sent events, round 1: a window.'),
  ])
})

test('soak: memory that still grows is told from memory that has levelled off', () => {
  const soaked = (mibAt: (minute: number) => number) => {
    const samples = Array.from({ length: 30 * 12 + 1 }, (_, index) => ({
      at: index * 5_000,
      residentKiB: 1024 * mibAt(index / 12),
      anonymousKiB: 1,
      cpuMs: 1,
    }))
    return reasonsOf(
      soakReport([outcome('all', { seconds: 1_800, documents: 5 }, { samples, visits: 1, edits: 1 })]),
    )
  }
  expect(soaked((minute) => 100 + minute + Math.sin(minute))).toEqual([
    expect.stringContaining('it still grew in the end'),
  ])
  expect(soaked((minute) => 100 + Math.min(minute, 10) + Math.sin(9 * minute))).toEqual([
    expect.stringContaining('it had levelled off'),
  ])
})

test('loss: what was lost is said with its size and place', () => {
  const about = { users: 500, nodes: 1, part: 'times' as const }
  const data = {
    rounds: [{ delivery: [samplesOf([1])] }],
    audit: { ...emptyAudit(), delivered: 9, missing: 2 },
    lost: { count: 1, why: 'closed' },
    stored: 499,
  }
  expect(reasonsOf(lossReport([outcome('websocket', about, data)]))).toEqual([
    expect.stringContaining(
      'Found in times with 500, trial 1: 2 at receivers, 1 in the store, 1 connections ended (closed).',
    ),
  ])
})

test('all at once: what a burst takes of a core by itself', () => {
  const about = { part: 'at once' as const, clients: 1_000 }
  const [reason] = reasonsOf(
    broadcastReport([
      outcomeOf('diptych', 'websocket', about, figures(2, 90)),
      outcomeOf('hocuspocus', 'websocket', about, figures(4, 100)),
    ]),
  )
  expect(reason).toContain('A burst is 999,000 deliveries')
  expect(reason).toContain('Diptych’s 2.00 µs, 2.00 s; at Hocuspocus’s 4.00 µs, 4.00 s.')
})

test('networks: each aim that was missed has words', () => {
  const switching = {
    measured: 'switching',
    delayMs: 25,
    calm: [60],
    switching: [500],
    longestGap: 400,
    switches: 20,
    lost: 1,
    doubled: 1,
  } as const
  const opening = {
    measured: 'opening',
    network: 'held-both',
    link: 9_000,
    text: 9_100,
    endedOn: 'poll',
    evidence: ['websocket: refused (403)', 'sse: silent'],
  } as const
  const reasons = reasonsOf(networksReport([opening, switching]))
  expect(reasons).toContainEqual(
    expect.stringContaining('The slowest ended on poll, after websocket: refused (403); sse: silent.'),
  )
  expect(reasons).toContainEqual(expect.stringContaining('by the same line was 60.0 ms; 20 switches'))
  expect(reasons.slice(-2)).toEqual(Array(2).fill(expect.stringContaining('That must never be')))
})

test('payload: what the specification’s framing takes stands beside what was measured and calculated', () => {
  const bytes = (size: number, up: number, down: number) => ({
    bytes: size,
    times: [1],
    measured: { up: size + up, down: size + down },
    calculated: { up: size + up, down: size + down },
  })
  const echoes = [bytes(16, 8, 4), bytes(1024, 10, 6), bytes(1024 * 1024, 2_000, 1_000)]
  const { tables } = payloadReport([outcome('websocket', { scheme: 'plain' as const }, { echoes })])
  const [up, down] = tables.filter(({ title }) => title.startsWith('Bytes beyond the message'))
  const published = (table = up!) => [0, 2, 6].map((row) => table.rows[row]!.at(-1))
  expect(up!.columns.at(-1)).toMatchObject({ name: 'WebSocket, published', published: true })
  expect([published(up), published(down)]).toEqual([
    [6, 8, 14],
    [2, 4, 10],
  ])
  expect(up!.note).toContain('above 1 kB less than 1 %')
})
