import { expect, test } from 'vitest'
import { emptyAudit } from '../crowd/ledger.ts'
import type { Figures } from '../crowd/measure.ts'
import type { Section } from '../report/section.ts'
import { samplesOf } from '../support/histogram.ts'
import type { Outcome, Params, Scenario } from '../support/scenario.ts'
import { durable } from './durable.ts'
import { idle } from './idle.ts'
import { overlay } from './overlay.ts'
import { reportOf as replayReport } from './replay-report.ts'
import { reportOf as soakReport } from './soak-report.ts'
import { reportOf as switchReport } from './switch-report.ts'
import { rooms } from './rooms.ts'
import { storm as stormScenario } from './storm.ts'

const outcome = (trial: Partial<Outcome['trial']>, data: unknown): Outcome => ({
  trial: { subject: 'diptych', lane: 'websocket', params: {}, round: 1, ...trial },
  data,
  at: '2026-11-22T00:00:00.000Z',
  seconds: 1,
  load: 0.9,
  saturated: true,
})

const sectionOf = (scenario: Scenario, outcomes: readonly Outcome[]): Section =>
  scenario.bind([], false).report(outcomes)

/** Rows as the table shows them. */
const rowsOf = ({ headlines }: Section) =>
  headlines.map(({ ours, beside, aims = [] }) => [ours, beside, aims.map(({ reached }) => reached)])

const one = (value: number) => expect.closeTo(value, 0) as number

/** The medians of its bars: by series, of each group. */
function barsOf({ charts }: Section, title: string): Record<string, Record<string, unknown>> {
  const chart = charts.find((each) => each.title === title)
  if (chart?.kind !== 'bars') throw new Error(`There are no bars "${title}".`)
  const medians = (values: (typeof chart.series)[number]['values']) =>
    chart.groups.map((group, at) => {
      const value = values[at] ?? null
      return [group, typeof value === 'object' && value ? value.median : value] as const
    })
  const kept = ([, value]: readonly [string, unknown]) => value !== null
  return Object.fromEntries(
    chart.series.map(({ name, values }) => [name, Object.fromEntries(medians(values).filter(kept))]),
  )
}

const figures = (cpuMs: number, ms: number): Figures => ({
  tally: {
    sent: 10,
    acknowledged: 10,
    delivered: 30,
    audit: { ...emptyAudit(), delivered: 30 },
    lost: { count: 0, why: '' },
    delivery: [samplesOf([ms])],
    acknowledgement: [samplesOf([ms])],
    lateness: [samplesOf([0])],
    perSecond: [],
  },
  seconds: 1,
  serverCpuMs: cpuMs,
  residentKiB: 1024,
})

test('rooms: the cost of an edit beside Hocuspocus and beside one that keeps nothing', () => {
  const params: Params = { documents: 500, writers: 4, keys: 6 }
  const section = sectionOf(rooms, [
    outcome({ params }, figures(1, 40)),
    outcome({ params, subject: 'hocuspocus' }, figures(0.9, 20)),
    outcome({ params, subject: 'socket.io' }, figures(0.84, 20)),
  ])
  expect(rowsOf(section)).toEqual([
    ['100 µs', 'Hocuspocus 90 µs; Socket.IO, which keeps nothing, 84 µs', [false]],
    ['40.0 ms', 'Hocuspocus 20.0 ms', []],
  ])
  expect(barsOf(section, 'Server CPU an edit')).toEqual({
    'an edit': { Diptych: 100, Hocuspocus: 90, 'Socket.IO': 84 },
  })
  expect(barsOf(section, 'Time to another writer')).toMatchObject({
    p99: { Diptych: one(40), Hocuspocus: one(20) },
  })
  expect(section.aims[0]?.reason).toContain('84 µs in the same run, 0.93 × of Hocuspocus')
  expect(section.aims[0]?.reason).toContain('In 1 of 1 of these trials the machine was more than 80 % busy')
})

test('idle: memory at 4,500, and a relay’s where it was missed', () => {
  const waiting = (connections: number, subject: string, kib: number) =>
    outcome(
      { subject, params: { connections } },
      {
        residentKiB: { before: 0, after: kib * connections },
        anonymousKiB: { before: 0, after: 0 },
        cpuMs: 1,
        seconds: 60,
      },
    )
  const section = sectionOf(idle, [
    ...[1_000, 4_500].map((count) => waiting(count, 'diptych', 20)),
    ...[1_000, 4_500].map((count) => waiting(count, 'hocuspocus', 30)),
    ...[1_000, 4_500].map((count) => waiting(count, 'relay', 12)),
    waiting(4_500, 'socket.io', 14),
  ])
  expect(rowsOf(section)).toEqual([['20.0 KiB', 'Hocuspocus 30.0 KiB; Socket.IO 14.0 KiB', [false]]])
  expect(section.headlines[0]?.what).toContain('4,500')
  expect(section.aims[1]?.reason).toContain('12.0 KiB a connection in the same run, 0.40 × of Hocuspocus')
})

test('idle: what was published of a connection stands beside ours, on the page and in its row', () => {
  const params = { connections: 4_500 }
  const memory = {
    residentKiB: { before: 0, after: 14 * 4_500 },
    anonymousKiB: { before: 0, after: 0 },
  }
  const section = sectionOf(
    idle,
    ['diptych', 'hocuspocus', 'socket.io'].map((subject) => outcome({ params, subject }, memory)),
  )
  const [own, theirs] = section.tables
  // (81,780 − 42,724) ÷ 3,500
  expect(own?.rows.map((row) => [row[0], row[2]])).toEqual([
    ['Diptych, WebSocket', null],
    ['Hocuspocus, WebSocket', null],
    ['Socket.IO, WebSocket', expect.closeTo(11.16, 2)],
  ])
  expect(theirs?.rows.map((row) => [row[0], row[3] === null ? null : Math.round(row[3] as number)])).toEqual([
    ['Play', 30],
    ['SignalR', 99],
    ['Socket.IO', 11],
    ['SockJS', 13],
    ['Lightstreamer', null],
  ])
  expect(section.headlines[0]?.published).toBe('Socket.IO 11.2 KiB to SignalR 99.5 KiB (Johannessen 2014)')
  expect(barsOf(section, 'Server memory of a connection that waits')).toMatchObject({
    '4,500 connections': { 'Diptych, WebSocket': 14, 'Socket.IO, WebSocket': 14 },
    '1,000 to 4,500': { 'Socket.IO 2014, WebSocket': expect.closeTo(11.16, 2) as number },
  })
  expect(section.notes.join()).toContain('A WebSocket within HTTP/2 is left out')
})

test('idle: processor time of the round in which it was counted', () => {
  const memory = { residentKiB: { before: 0, after: 10 }, anonymousKiB: { before: 0, after: 0 } }
  const params = { connections: 1_000 }
  const section = sectionOf(idle, [
    outcome({ params }, { ...memory, cpuMs: 90, seconds: 60 }),
    outcome({ params, round: 2 }, memory),
  ])
  expect(section.tables[0]?.rows[0]?.[4]).toEqual({ median: 90, least: 90, most: 90 })
})

test('durable: by its default and without its delay, for one writer and for many', () => {
  const params = { writers: 1, interval: 100 }
  const measured = (ms: number) => ({ ...figures(1, ms), fsync: samplesOf([0.4]) })
  const section = sectionOf(durable, [
    outcome({ params }, measured(3)),
    outcome({ params, subject: 'hocuspocus', lane: 'debounce 2 s' }, measured(2_000)),
    outcome({ params, subject: 'hocuspocus', lane: 'debounce 0' }, measured(2)),
  ])
  expect(rowsOf(section)).toEqual([
    [
      '3.0 ms',
      'Hocuspocus 2,001 ms, without its delay 2.0 ms; the disk’s own fdatasync 0.40 ms',
      [true, false],
    ],
  ])
  expect(barsOf(section, 'Edit → durable')).toMatchObject({
    'Diptych, WebSocket': { 'one writer, p50': one(3), 'one writer, p99': one(3) },
    'Hocuspocus, debounce 0': { 'one writer, p50': one(2) },
    'The disk itself (fdatasync)': { 'one writer, p50': expect.closeTo(0.4, 1) as number },
  })
  expect(section.aims[1]?.reason).toContain('fdatasync took 0.40 ms at p50')
})

test('overlay: what it costs while typing and while nothing happens', () => {
  const section = sectionOf(overlay, [
    outcome({}, { shown: false, typingMs: 100, idleMs: 5 }),
    outcome({}, { shown: true, typingMs: 115.3, idleMs: 10 }),
  ])
  expect(rowsOf(section)).toEqual([
    ['1.53 % of a core more', '100.0 ms a second without it, 115.3 with it', [false]],
    ['0.50 % of a core more', '5.0 ms a second without it, 10.0 with it', [true]],
  ])
  expect(barsOf(section, 'Processor time of the window')).toEqual({
    'without the overlay': { typing: 100, 'nothing happens': 5 },
    'with it': { typing: 115.3, 'nothing happens': 10 },
  })
  expect(section.aims[0]?.reason).toContain('a stamp goes with each edit')
})

test('switch and soak: their rows have their aims', () => {
  const { trial, ...rest } = outcome({}, undefined)
  const switched = {
    tokens: 12_072,
    lost: 0,
    doubled: 1,
    disordered: 0,
    calm: [1],
    switching: [1, 3],
    gaps: [1],
    unlinked: [1],
    switches: 2,
    took: [2],
  }
  const none = {}
  const section = switchReport([{ ...rest, trial: { ...trial, params: none }, data: switched }])
  expect(rowsOf(section)).toEqual([['0 lost, 1 doubled of 12,072', undefined, [true, false]]])
  expect(barsOf(section, 'From one window to each other')).toMatchObject({
    max: { 'typed → there, no switches': 1, 'typed → there, switching': 3, 'a switch, wish → in use': 2 },
  })
  const samples = [0, 25_000].map((at) => ({ at, residentKiB: 1024, anonymousKiB: 512, cpuMs: 1 }))
  const params = { seconds: 25, documents: 5 }
  const soaked = { ...rest, trial: { ...trial, params }, data: { samples, visits: 1, edits: 1 } }
  expect(soakReport([soaked]).notes).toEqual([expect.stringContaining('neither reached nor missed')])
  expect(rowsOf(soakReport([soaked]))).toEqual([['too short to tell', undefined, []]])
})

test('storm: what is lost or does not come back is a figure with an aim, and never said to be nothing', () => {
  const about = { lane: 'killed', params: { clients: 3 } }
  const storm = (data: object) => sectionOf(stormScenario, [outcome(about, { serverCpuMs: 9, ...data })])
  const whole = storm({ returned: [1_000, 2_000, 2_500], tokens: 6, lost: 0, doubled: 0, wrong: [] })
  expect(rowsOf(whole)).toEqual([['all within 2.5 s; 0 lost, 0 doubled', undefined, [true, true, true]]])
  const bad = storm({ returned: [1_000, 2_000], tokens: 6, lost: 4, doubled: 1, wrong: ['a2; is gone'] })
  expect(rowsOf(bad)).toEqual([
    ['all but 1 within 2.0 s; 4 lost, 1 doubled', undefined, [false, false, false]],
  ])
  expect(bad.tables[0]?.rows[0]?.slice(-3)).toEqual([1, 4, 1])
  expect(bad.aims.map(({ reason }) => reason)).toEqual(
    Array(3).fill(expect.stringContaining('Found in round 1: a2; is gone.')),
  )
  expect(bad.notes).toEqual(['WRONG: killed, round 1: a2; is gone'])
})

test('replay: the pace of each transport is drawn, by its name', () => {
  const { trial, ...rest } = outcome({ params: { transactions: 100 } }, undefined)
  const data = {
    seconds: 4,
    equal: { windows: true, store: true, wholeTrace: true },
    serverCpuMs: 10,
    bytes: { up: 1, down: 1 },
    letters: 100,
  }
  const params = { transactions: 100 }
  const section = replayReport([
    { ...rest, trial: { ...trial, params }, data },
    { ...rest, trial: { ...trial, params, lane: 'long-poll' }, data: { ...data, seconds: 10 } },
  ])
  expect(section.tables[0]?.rows.map(([name]) => name)).toEqual(['WebSocket', 'Long polling'])
  expect(barsOf(section, 'The trace by each transport')).toEqual({
    'transactions a second': { WebSocket: 25, 'Long polling': 10 },
  })
})
