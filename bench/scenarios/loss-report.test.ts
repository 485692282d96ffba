import { expect, test } from 'vitest'
import { emptyAudit } from '../crowd/ledger.ts'
import { outcome } from '../fixtures/crowd.ts'
import type { Column } from '../report/section.ts'
import { samplesOf } from '../support/histogram.ts'
import { loss } from './loss.ts'
import { type Measured, report } from './loss-report.ts'

/** Each round's times in ms. */
const measured = (rounds: readonly (readonly number[])[], fields: Partial<Measured> = {}): Measured => ({
  rounds: rounds.map((times) => ({ delivery: [samplesOf(times)] })),
  audit: { ...emptyAudit(), delivered: 7_000 },
  lost: { count: 0, why: '' },
  stored: 50 * rounds.length,
  ...fields,
})

const times = { users: 50, nodes: 1, part: 'times' as const }
const bytes = { users: 50, nodes: 1, part: 'bytes' as const }

const rounds = [[1], [2], [3]]

test('what is missing at receivers and in the store adds up', () => {
  const aimOf = (data: Measured) => report([outcome('diptych', 'websocket', times, data)]).aims[0]
  expect(aimOf(measured(rounds))).toMatchObject({ measured: 0, reached: true })
  const less = measured(rounds, { audit: { ...emptyAudit(), delivered: 7_000, missing: 2 }, stored: 149 })
  expect(aimOf(less)).toMatchObject({ measured: 3, reached: false })
})

test('bytes are of trials of their own, by message and by the time of a round, beside what was published', () => {
  // 245 kB in two rounds of 40 and 60 ms: 980 kbit a round, 19,600 kbit/s.
  const through = measured([[10, 40], [60]], {
    audit: { ...emptyAudit(), delivered: 4_900, missing: 1 },
    bytes: { up: 6_400, down: 245_000 },
  })
  const { tables, aims, headlines } = report([
    outcome('diptych', 'websocket', bytes, through),
    outcome('diptych', 'websocket', times, measured([[5]])),
  ])
  expect(tables[0]!.rows.map((row) => row[1])).toEqual([50])
  expect(tables[1]!.columns.slice(3).map(({ name, unit }: Column) => `${name}, ${unit}`)).toEqual([
    'out, a round, kbit',
    'a round, ms',
    'out, kbit/s',
    'out, published, kbit/s',
    'out, broker, published, kbit/s',
  ])
  const [name, up, down, kbit, ms, perSecond, ...published] = tables[1]!.rows[0]!
  expect([name, up, down, kbit]).toEqual(['50, Diptych', 64, 50, 980])
  expect(ms).toBeCloseTo(50, 0)
  expect((perSecond as number) / 19_600).toBeCloseTo(1, 2)
  expect(published).toEqual([10.52, 10.51])
  expect(aims[0]).toMatchObject({ measured: 1, reached: false })
  expect(headlines[0]).toMatchObject({
    ours: '1 lost of 150',
    published: expect.stringContaining('0 % at 50') as string,
  })
})

test('the rounds of several trials are one row, and the mean of each round counts', () => {
  const trial = (round: number, subject: string, all: readonly (readonly number[])[]) => {
    const one = outcome(subject, 'websocket', times, measured(all))
    return { ...one, trial: { ...one.trial, round } }
  }
  const { tables, charts } = report([
    trial(1, 'diptych', [[1], [2]]),
    trial(1, 'hocuspocus', [[11], [12]]),
    trial(2, 'hocuspocus', [[13]]),
    trial(2, 'diptych', [[6]]),
  ])
  const [lost, tTest] = tables
  expect(lost!.rows.map((row) => row.slice(0, 2))).toEqual([
    ['50, Diptych', 150],
    ['50, Hocuspocus', 150],
  ])
  expect(lost!.rows[0]![5]).toEqual({ median: 2, least: 1, most: 6 })
  expect(tTest!.rows[0]!.at(-1)).toBe('yes')
  expect(charts[0]).toMatchObject({ series: [{ name: 'Diptych', points: [[50, 2]] }, {}, {}] })
})

test('trials of an older version, which kept means alone, are left out by name', () => {
  const old = { ...measured([]), rounds: [{ meanMs: 5, p99Ms: 9 }] } as unknown as Measured
  const { tables, notes } = report([outcome('diptych', 'websocket', times, old)])
  expect(tables[0]!.rows).toEqual([])
  expect(notes.join()).toContain('which kept no samples, are left out: 1.')
})

test('subjects take turns, and a quick run has none', () => {
  const { trials } = loss.bind(['--users', '50,5000', '--subjects', 'diptych,hocuspocus'], false)
  const order = trials.map(
    ({ subject, params, round }) => `${params['users']} ${params['part']} ${subject} ${round}`,
  )
  expect(order.slice(0, 6)).toEqual([
    '50 times diptych 1',
    '50 times hocuspocus 1',
    '50 times hocuspocus 2',
    '50 times diptych 2',
    '50 times diptych 3',
    '50 times hocuspocus 3',
  ])
  expect(trials.filter(({ params }) => params['part'] === 'bytes')).toHaveLength(4)
  expect(loss.bind([], true).trials).toHaveLength(4)
})
