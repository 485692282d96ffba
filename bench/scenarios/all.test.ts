import { expect, test, vi } from 'vitest'
import { secondsOfAll } from '../run/progress.ts'
import { keyOf } from '../support/scenario.ts'

// Those that replay recordings are planned, too, whether there are any here or not: nothing reads them before its trial.
vi.stubEnv('TRACES_DIR', '/nowhere')
const { scenarios } = await import('./all.ts')

/** On two cores, with the build of the pages: a minute less than is promised. */
const QUICK_MINUTES = 14

const planned = (quick: boolean) =>
  scenarios.map((scenario) => {
    const bound = scenario.bind([], quick)
    return { bound, trials: bound.trials }
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
      expect(trials.length).toBeGreaterThan(0)
    }
  },
)

test('each trial has an estimate, and a quick run of everything is quick', () => {
  for (const { bound, trials } of [...planned(false), ...planned(true)])
    for (const trial of trials) expect(bound.estimate(trial)).toBeGreaterThan(0)
  const minutes = secondsOfAll(planned(true), { build: true, fsyncs: 300 }) / 60
  expect(minutes).toBeLessThan(QUICK_MINUTES)
})
