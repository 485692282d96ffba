import { expect, test, vi } from 'vitest'
import { fakeOutcomes } from '../fixtures/fake-outcomes.ts'
import { sectionSnapshot } from '../fixtures/section-snapshot.ts'

// Scenarios that replay recordings are planned even if there are none here, because only their trials read them.
vi.stubEnv('TRACES_DIR', '/nowhere')
// The row of the RAM disk is planned on every machine.
vi.mock('../support/ram-disk.ts', () => ({ hasRamDisk: true }))
const { scenarios } = await import('./registry.ts')

const sectionsOf = (quick: boolean, luck: 'good' | 'mixed') =>
  scenarios.map((scenario) => {
    const bound = scenario.bind([], quick)
    return { name: scenario.name, section: bound.report(fakeOutcomes(scenario, bound.trials, luck)) }
  })

test('tables, charts, aims, headlines and notes of every scenario', async () => {
  const texts = sectionsOf(false, 'mixed').map(({ name, section }) => sectionSnapshot(name, section))
  await expect(texts.join('\n')).toMatchFileSnapshot('../fixtures/reports.txt')
})

test('if nothing was lost, doubled or different, every aim of 0 is reached', () => {
  const aims = sectionsOf(true, 'good').flatMap(({ section }) =>
    section.aims.filter(({ limit }) => limit === 0),
  )
  expect(aims.length).toBeGreaterThan(10)
  expect(aims.filter(({ reached }) => !reached)).toEqual([])
})

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s: a run that was stopped anywhere shows what it has',
  (_, scenario) => {
    const bound = scenario.bind([], true)
    const outcomes = fakeOutcomes(scenario, bound.trials, 'mixed')
    for (const count of [1, Math.ceil(outcomes.length / 2), outcomes.length - 1]) {
      const { tables, aims, headlines, charts } = bound.report(outcomes.slice(0, Math.max(1, count)))
      for (const { columns, rows } of tables) {
        expect(rows.every((row) => row.length === columns.length)).toBe(true)
        expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length)
      }
      for (const { groups, series } of charts.filter((chart) => chart.kind === 'bars'))
        expect(series.every(({ values }) => values.length === groups.length)).toBe(true)
      expect(aims.filter(({ measured, limit }) => Number.isNaN(measured - limit))).toEqual([])
      for (const { what, ours, aims: own = [] } of headlines) {
        expect(`${what} ${ours}`).not.toMatch(/NaN|undefined|–/)
        expect(aims).toEqual(expect.arrayContaining([...own]))
      }
    }
  },
)
