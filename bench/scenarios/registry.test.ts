import { expect, test, vi } from 'vitest'
import { fakeOutcomes } from '../fixtures/fake-outcomes.ts'
import { sectionSnapshot } from '../fixtures/section-snapshot.ts'
import { estimateTotalSeconds } from '../run/progress.ts'
import { keyOf } from '../support/trial.ts'

// Scenarios that replay recordings are planned even if there are none here, because only their trials read them.
vi.stubEnv('TRACES_DIR', '/nowhere')
// The row of the RAM disk is planned on every machine.
vi.mock('../support/ram-disk.ts', () => ({ hasRamDisk: true }))
const { scenarios } = await import('./registry.ts')
const byName = scenarios.map((scenario) => [scenario.name, scenario] as const)

/** On two cores, with the build of the pages: a minute less than docs/PERFORMANCE.md promises. */
const QUICK_MINUTES = 14

const planned = (quick: boolean) =>
  scenarios.map((scenario) => {
    const bound = scenario.bind([], quick)
    return { bound, trials: bound.trials }
  })

test('names differ from each other and from the commands', () => {
  const names = scenarios.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^(?!(report|compare|readme|nodes-table)$)[a-z][a-z0-9-]*$/)
})

test.each(byName)('%s can be planned', (_, scenario) => {
  for (const quick of [false, true]) {
    const { trials, values } = scenario.bind([], quick)
    // The saved values are enough to plan a run again.
    const again = scenario.bindTo(JSON.parse(JSON.stringify(values)) as typeof values)
    expect(again.trials.map(keyOf)).toEqual(trials.map(keyOf))
    expect(trials.length).toBeGreaterThan(0)
  }
})

test('each trial has an estimate, and a quick run of everything is quick', () => {
  for (const { bound, trials } of [...planned(false), ...planned(true)])
    for (const trial of trials) expect(bound.estimate(trial)).toBeGreaterThan(0)
  const minutes = estimateTotalSeconds(planned(true), { build: true, fsyncs: 300 }) / 60
  expect(
    minutes,
    `A quick run of everything has ${QUICK_MINUTES} minutes: set fewer or shorter trials in the \`quick\` of a scenario.`,
  ).toBeLessThan(QUICK_MINUTES)
})

const planOf = (line: string) => {
  const [name, ...args] = line.split(' ')
  return scenarios.find((scenario) => scenario.name === name)!.bind(args, false).trials
}

test('keystrokes: document lengths are planned with Tiptap, lanes with the relay, and both if no peer is named', () => {
  const subjectsOf = (line: string) => [...new Set(planOf(line).map(({ subject }) => subject))].toSorted()
  const hasLengths = (line: string) => planOf(line).some(({ params }) => 'characters' in params)
  expect(subjectsOf('keystrokes')).toEqual(['diptych', 'relay', 'tiptap-hocuspocus'])
  expect(subjectsOf('keystrokes --subjects diptych,relay')).toEqual(['diptych', 'relay'])
  expect(subjectsOf('keystrokes --subjects relay')).toEqual(['relay'])
  expect(hasLengths('keystrokes --subjects diptych')).toBe(true)
  expect(hasLengths('keystrokes --subjects diptych,relay')).toBe(false)
  const lengths = planOf('keystrokes --subjects diptych,tiptap-hocuspocus --characters 0,104000 --rounds 1')
  expect(lengths.map(({ subject, params }) => [subject, params['characters'], params['others']])).toEqual([
    ['diptych', 0, 0],
    ['tiptap-hocuspocus', 0, 0],
    ['diptych', 0, 5],
    ['tiptap-hocuspocus', 0, 5],
    ['diptych', 104_000, 0],
    ['tiptap-hocuspocus', 104_000, 0],
    ['diptych', 104_000, 5],
    ['tiptap-hocuspocus', 104_000, 5],
  ])
})

test('keystrokes: every transport has bytes and delays, with one round where no aim counts them', () => {
  const rounds = (lane: string) =>
    ['0', '25', '100'].map(
      (ms) =>
        planOf('keystrokes').filter((trial) => trial.lane === lane && trial.params['network'] === ms).length,
    )
  const often = ['websocket', 'sse', 'stream', 'long-poll']
  expect(often.map(rounds)).toEqual(often.map(() => [1, 3, 1]))
  const once = ['websocket-h2', 'sse-http1', 'poll']
  expect(once.map(rounds)).toEqual(once.map(() => [1, 1, 1]))
})

test('loss: Diptych is measured as one node and as two, the others alternate with it, and only single nodes have bytes', () => {
  const trials = planOf('loss --users 50 --subjects diptych,socket.io --turns 2')
  const texts = trials.map(
    ({ subject, lane, params, round }) => `${subject}, ${lane}, ${params['part']} ${round}`,
  )
  expect(texts).toEqual([
    'diptych, websocket, times 1',
    'diptych, two nodes, Redis between, times 1',
    'diptych, two nodes, Redis killed, times 1',
    'socket.io, websocket, times 1',
    'socket.io, websocket, times 2',
    'diptych, two nodes, Redis killed, times 2',
    'diptych, two nodes, Redis between, times 2',
    'diptych, websocket, times 2',
    'diptych, websocket, bytes 1',
    'socket.io, websocket, bytes 1',
  ])
})

test('loss: all trials of a size come before those of the next', () => {
  const sizes = planOf('loss --users 50,5000').map(({ params }) => Number(params['users']))
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
})

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

test.each(byName)('%s: a run that was stopped anywhere shows what it has', (_, scenario) => {
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
})
