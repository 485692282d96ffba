import { expect, test } from 'vitest'
import type { Outcome } from '../support/scenario.ts'
import type { After, Data, Params } from './keystrokes-figures.ts'
import { keystrokes } from './keystrokes.ts'
import { reportOf } from './keystrokes-report.ts'

/** Keys whose way from sent to applied takes `applied` ms and whose answer comes after `answered` ms. */
const keys = (applied: number, answered: number): After[] =>
  Array.from({ length: 10 }, () => ({
    edited: 0.5,
    sent: 1,
    applied: 1 + applied,
    rendered: 1 + applied,
    painted: 1 + applied,
    answered: 1 + answered,
  }))

const outcome = (
  subject: string,
  lane: string,
  samples: After[],
  network: Params['network'] = 'direct',
): Outcome<Params, Data> => ({
  trial: { subject, lane, params: { network, windows: 5 }, round: 1 },
  data: {
    readers: [samples, samples],
    clockDifference: 0.02,
    latest: 1,
    frames: { keys: [['AAAA']], answer: 'AA==' },
    serverCpuMsAKey: 0.4,
    residentKiB: 2048,
    pacedFsyncs: [0.5, 0.5],
  },
  at: '2026-11-22T00:00:00.000Z',
  seconds: 1,
  load: 0.3,
  saturated: false,
})

const aims = (...outcomes: Outcome<Params, Data>[]) => reportOf(outcomes).aims

test('an aim is reached or not by its own sum', () => {
  // 1.3 × 2 + 2 × 0.5 = 3.6; whenSaved counts from the edit, 0.5 ms before sent: 3 + 2 × 0.5 + 1 = 5
  const beside = (applied: number, saved: number) =>
    aims(outcome('diptych', 'stream', keys(applied, saved)), outcome('relay', 'stream', keys(2, 3))).map(
      ({ measured, limit, reached }) => [measured, limit, reached],
    )
  expect(beside(3.5, 4)).toEqual([
    [3.5, 3.6, true],
    [4.5, 5, true],
    [4.5, 20, true],
  ])
  expect(beside(3.7, 21).map(([, , reached]) => reached)).toEqual([false, false, false])
})

test('what is away is compared with WebSocket as far away', () => {
  const away = aims(
    outcome('diptych', 'sse', keys(63, 70), '25'),
    outcome('diptych', 'websocket', keys(59, 60), '25'),
    outcome('diptych', 'sse', keys(9, 9)),
    outcome('diptych', 'websocket', keys(4, 4)),
  )
  expect(away[0]).toMatchObject({ measured: 64 / 60, limit: 1.05, reached: false })
  expect(away[1]).toMatchObject({ measured: 9 / 4, limit: 2, reached: false })
})

test('the published means and ratios stand beside ours', () => {
  const { tables, headlines } = reportOf([
    outcome('diptych', 'sse', keys(9, 9)),
    outcome('diptych', 'websocket', keys(4, 4)),
  ])
  expect(tables[0]!.rows.map((row) => row.at(-1))).toEqual([88.171, 79.889])
  expect(headlines.map(({ ours }) => ours)).toEqual(['5.0 ms', '2.00'])
})

const delays = ['0', '25', '100']
const named = ['websocket', 'websocket-h2', 'sse', 'sse-http1', 'stream', 'long-poll', 'poll']

test('each named way has bytes and delays; those that no aim counts once', () => {
  const { trials } = keystrokes.bind([], false)
  const rounds = (lane: string, network: string) =>
    trials.filter((trial) => trial.lane === lane && trial.params['network'] === network).length
  for (const lane of named)
    expect([lane, ...delays.map((ms) => rounds(lane, ms) > 0)]).toEqual([lane, true, true, true])
  expect(['websocket', 'poll'].map((lane) => delays.map((ms) => rounds(lane, ms)))).toEqual([
    [1, 3, 1],
    [1, 1, 1],
  ])
  const ways = new Set(keystrokes.bind([], true).trials.map(({ lane }) => lane))
  expect([...ways]).toEqual(['websocket', 'sse'])
})

test('ways are called as people call them', () => {
  const { tables, charts, aims } = reportOf([
    outcome('diptych', 'sse-http1', keys(9, 9)),
    outcome('diptych', 'stream', keys(9, 9)),
    outcome('diptych', 'websocket', keys(4, 4)),
  ])
  const ways = ['WebSocket', 'Stream over HTTP/2', 'SSE over HTTP/1.1']
  expect(tables[0]!.rows.map(([name]) => name)).toEqual(ways)
  expect(charts[0]).toMatchObject({ groups: ways })
  expect(aims.map(({ name }) => name)).toEqual(['Stream over HTTP/2 ÷ WebSocket, sent → applied p50'])
})
