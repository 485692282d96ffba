import { beforeEach, expect, test } from 'vitest'
import { folderOfTest, outcomeOf, runWith, sampleScenario } from '../fixtures/sample-run.ts'
import { RunFolder, type RunInfo } from './run-folder.ts'
import { newestReports } from './newest-reports.ts'

const scenarios = ['broadcast', 'idle'].map((name) =>
  sampleScenario({ name, rounds: 2, plan: () => [{ lane: 'sse', params: {} }] }),
)
let parent: string
let runs: RunFolder[]

beforeEach(async () => {
  parent = await folderOfTest()
  runs = []
})

interface RunOptions {
  readonly rounds?: number
  /** How many of its rounds were run. */
  readonly done?: number
  readonly quick?: boolean
  /** The round that failed. */
  readonly failed?: number
}

/** Creates a run that started an hour after the one before. */
async function createRun(
  name: string,
  { rounds = 2, done = rounds, quick = false, failed }: RunOptions = {},
): Promise<RunInfo> {
  const at = `2026-11-21T${String(runs.length + 1).padStart(2, '0')}:00:00.000Z`
  const info = runWith({ at }, { quick, scenarios: [{ name, values: { rounds } }] })
  const folder = await RunFolder.create(parent, String(runs.length), info)
  const trials = scenarios.find((known) => known.name === name)!.bindTo({ rounds }).trials
  for (const trial of trials.slice(0, done))
    if (trial.round === failed) await folder.saveTrial(name, { trial, failed: 'Error: lost\n  at' })
    else await folder.saveTrial(name, outcomeOf(trial, {}))
  runs.push(folder)
  return info
}

const choose = (acceptUnfinished = false) => newestReports(runs.toReversed(), scenarios, { acceptUnfinished })

const chosenRuns = async (acceptUnfinished = false) =>
  (await choose(acceptUnfinished)).map(({ info, report, otherOptions }) => [
    report.name,
    startOf(info),
    ...otherOptions,
  ])

const startOf = ({ sittings }: RunInfo): string => sittings[0]!.surroundings.at

test('each scenario has its newest whole run', async () => {
  await createRun('broadcast')
  const broadcast = await createRun('broadcast')
  const idle = await createRun('idle')
  expect(await chosenRuns()).toEqual([
    ['broadcast', startOf(broadcast)],
    ['idle', startOf(idle)],
  ])
})

test('a run with the default options comes before a newer one with other options, and that before a quick one', async () => {
  const whole = await createRun('broadcast')
  const other = await createRun('idle', { rounds: 3 })
  await createRun('broadcast', { rounds: 3 })
  await createRun('broadcast', { rounds: 1, quick: true })
  await createRun('idle', { rounds: 1, quick: true })
  expect(await chosenRuns()).toEqual([
    ['broadcast', startOf(whole)],
    ['idle', startOf(other), 'rounds 3'],
  ])
})

test('a quick run is chosen if there is no other', async () => {
  const quick = await createRun('idle', { rounds: 1, quick: true })
  expect(await chosenRuns()).toEqual([['idle', startOf(quick)]])
})

test('an unfinished run counts only on request', async () => {
  const half = await createRun('broadcast', { done: 1 })
  await createRun('idle', { done: 0 })
  expect(await chosenRuns()).toEqual([])
  expect(await chosenRuns(true)).toEqual([['broadcast', startOf(half)]])
})

test('a report has the failures of its own run and of later ones', async () => {
  await createRun('broadcast', { failed: 2 })
  await createRun('broadcast')
  await createRun('idle')
  await createRun('broadcast', { failed: 2 })
  const failed = async () => (await choose()).map((picked) => picked.failed)
  const failure = 'diptych, sse, round 2: Error: lost (3)'
  expect(await failed()).toEqual([[failure], []])
  await createRun('idle', { failed: 1 })
  expect(await failed()).toEqual([[failure], ['diptych, sse, round 1: Error: lost (4)']])
})
