import { expect, test } from 'vitest'
import { keyOf } from '../support/scenario.ts'
import { scenarios } from './all.ts'

/** On two cores. */
const QUICK_MINUTES = 15
/** Of the disk, before each trial. */
const PROBE_SECONDS = 0.25

const secondsOf = (quick: boolean): number[] =>
  scenarios.flatMap((scenario) => {
    const bound = scenario.bind([], quick)
    return bound.trials.map((trial) => bound.estimate(trial) + PROBE_SECONDS)
  })

test('names are different, and none is a word that means something else', () => {
  const names = scenarios.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^(?!(report|compare|readme)$)[a-z][a-z0-9-]*$/)
})

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s can be planned',
  (_, scenario) => {
    for (const quick of [false, true]) {
      const { trials, values } = scenario.bind([], quick)
      // What is kept of a run is enough to plan it again.
      const again = scenario.bindTo(JSON.parse(JSON.stringify(values)) as typeof values)
      expect(again.trials.map(keyOf)).toEqual(trials.map(keyOf))
    }
  },
)

test('each trial has an estimate, and a quick run is quick', () => {
  for (const seconds of [...secondsOf(false), ...secondsOf(true)]) expect(seconds).toBeGreaterThan(0)
  const minutes = secondsOf(true).reduce((sum, seconds) => sum + seconds, 0) / 60
  expect(minutes).toBeLessThan(QUICK_MINUTES)
})
