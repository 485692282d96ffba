import { expect, test } from 'vitest'
import { fakeOutcomes } from '../fixtures/fake-outcomes.ts'
import { samplesOf } from '../support/histogram.ts'
import type { Scenario } from '../support/scenario.ts'
import type { Outcome } from '../support/trial.ts'
import { broadcastScenario } from './broadcast.ts'
import { lossScenario } from './loss.ts'
import { soakScenario } from './soak.ts'

/** Reports a full run without faults, in which the test changes some data. */
const reportOf = (
  scenario: Scenario,
  args: readonly string[],
  change: (outcome: Outcome) => object = () => ({}),
) => {
  const { trials, report } = scenario.bind(args, false)
  const outcomes = fakeOutcomes(scenario, trials, 'good')
  return report(
    outcomes.map((outcome) => ({ ...outcome, data: { ...(outcome.data as object), ...change(outcome) } })),
  )
}

test('soak: memory that still grows has another reason than memory that has levelled off', () => {
  const reasonOf = (mibAt: (minute: number) => number) =>
    reportOf(soakScenario, [], () => ({
      samples: Array.from({ length: 361 }, (_, index) => ({
        at: index * 5_000,
        residentKiB: 1024 * mibAt(index / 12),
        cpuMs: 1,
      })),
    })).aims[0]?.reason
  expect(reasonOf((minute) => 100 + minute + Math.sin(minute))).toContain('memory still grew in the end')
  expect(reasonOf((minute) => 100 + Math.min(minute, 10) + Math.sin(9 * minute))).toContain(
    'memory had levelled off',
  )
})

test('soak: less than four minutes have neither an aim nor a slope', () => {
  const samples = [0, 25_000].map((at) => ({ at, residentKiB: 1024, cpuMs: 1 }))
  const { aims, notes, headlines } = reportOf(soakScenario, [], () => ({ samples }))
  expect([aims, headlines[0]?.ours]).toEqual([[], 'too short to tell'])
  expect(notes).toEqual([expect.stringContaining('neither reached nor missed')])
})

test('loss: what is missing at receivers and in the store adds up, and is reported with its place', () => {
  const { aims, headlines } = reportOf(
    lossScenario,
    ['--users', '500', '--subjects', 'diptych', '--nodes', 'one'],
    ({ trial: { params, round } }) =>
      params['part'] === 'times' && round === 2
        ? {
            audit: { delivered: 9, missing: 2, doubled: 0, disordered: 0 },
            lost: { count: 1, why: 'closed' },
            stored: 1_499,
          }
        : {},
  )
  expect(aims).toMatchObject([{ measured: 3, reached: false }])
  expect(aims[0]?.reason).toContain(
    'Found in times with 500, trial 2: 2 at receivers, 1 in the store, 1 connection ended (closed).',
  )
  expect(headlines[0]?.ours).toBe('3 lost of 6,000')
})

test('loss: trials of an older version, which stored only means, are left out and counted', () => {
  const { tables, notes } = reportOf(
    lossScenario,
    ['--users', '50', '--subjects', 'diptych', '--nodes', 'one'],
    () => ({
      rounds: [{ meanMs: 5, p99Ms: 9 }],
    }),
  )
  expect(tables.map(({ title }) => title)).not.toContain('Lost, and the time it took')
  expect(notes.join()).toContain('4 trials of an older version, which stored no samples, are left out.')
})

test('loss: rounds are sorted by their distance from the killed Redis, and what is stored twice counts as doubled', () => {
  const took = [100, 900, 300, 110, 120].map((ms) => ({ delivery: [samplesOf([ms / 2, ms])] }))
  const { aims, tables, headlines } = reportOf(
    lossScenario,
    ['--users', '50', '--subjects', 'diptych', '--nodes', 'killed', '--turns', '1'],
    () => ({ rounds: took, stored: 250, killedIn: 2, storedTwice: 1 }),
  )
  const killed = tables.find(({ title }) => title.startsWith('Redis killed'))!
  expect(killed.rows[0]!.slice(1).map((cell) => Math.round((cell as { median: number }).median))).toEqual([
    100, 900, 300, 115,
  ])
  expect(aims).toMatchObject([{ measured: 1, reached: false }])
  expect(aims[0]!.reason).toContain('0 in the store, 1 doubled')
  expect(headlines[0]!.ours).toBe('0 lost of 250, 1 doubled')
})

test('broadcast: published figures are shown for sixty clients only', () => {
  const of = (clients: string) =>
    reportOf(broadcastScenario, ['--parts', 'sixty,bytes', '--clients', clients])
  const besides = (clients: string) => {
    const { charts, headlines } = of(clients)
    return [charts.some(({ title }) => title.startsWith('One’s own')), headlines.length]
  }
  expect(besides('60')).toEqual([true, 3])
  expect(besides('100')).toEqual([false, 0])
})

test('broadcast: what two nodes carry is an aim with enough cores, and else a note', () => {
  const of = (cores: number) =>
    reportOf(broadcastScenario, ['--parts', 'nodes at once'], ({ trial, data }) => ({
      cores,
      tally: {
        ...(data as { tally: object }).tally,
        delivery: [samplesOf([trial.lane.startsWith('two') ? 500 : 1_000])],
      },
    }))
  const [few, many] = [of(2), of(8)]
  expect([few.aims, few.notes.join()]).toEqual([
    [],
    expect.stringContaining('2.00 × one node’s deliveries. 2 cores do not allow 1.6 ×'),
  ])
  expect([many.aims, many.notes.join()]).toMatchObject([
    [{ measured: expect.closeTo(0.5, 3), limit: 0.625, reached: true }],
    expect.not.stringContaining('do not allow'),
  ])
})
