import { beforeEach, expect, test } from 'vitest'
import { folderOfTest, outcomeOf, runWith, sampleScenario } from '../fixtures/sample-run.ts'
import { RunFolder, type RunInfo } from './folder.ts'
import { newestReports } from './newest.ts'

const called = (name: string) =>
  sampleScenario({
    name,
    rounds: 2,
    plan: () => [{ lane: 'sse', params: {} }],
  })

const scenarios = ['broadcast', 'idle'].map(called)
let parent: string
let runs: RunFolder[]

beforeEach(async () => {
  parent = await folderOfTest()
  runs = []
})

interface RunOptions {
  readonly rounds?: number
  /** Of its rounds those that were run. */
  readonly done?: number
  readonly quick?: boolean
  /** The round that failed. */
  readonly failed?: number
}

/** Each is an hour younger than the one before. */
async function made(
  name: string,
  { rounds = 2, done = rounds, quick = false, failed }: RunOptions = {},
): Promise<RunInfo> {
  const at = `2026-11-21T${String(runs.length + 1).padStart(2, '0')}:00:00.000Z`
  const info = runWith({ at }, { quick, scenarios: [{ name, values: { rounds } }] })
  const folder = await RunFolder.create(parent, String(runs.length), info)
  const trials = scenarios.find((known) => known.name === name)!.bindTo({ rounds }).trials
  for (const trial of trials.slice(0, done))
    if (trial.round === failed) await folder.keep(name, { trial, failed: 'Error: lost\n  at' })
    else await folder.keep(name, outcomeOf(trial, {}))
  runs.push(folder)
  return info
}

const newest = async (unfinished = false) =>
  (await newestReports(runs.toReversed(), scenarios, { unfinished })).map(({ info, report, otherwise }) => [
    report.name,
    info.sittings[0]!.surroundings.at,
    ...otherwise,
  ])

const momentOf = ({ sittings }: RunInfo): string => sittings[0]!.surroundings.at

test('each scenario has its newest whole run, from several where they are several', async () => {
  await made('broadcast')
  const broadcast = await made('broadcast')
  const idle = await made('idle')
  expect(await newest()).toEqual([
    ['broadcast', momentOf(broadcast)],
    ['idle', momentOf(idle)],
  ])
})

test('a run as by default speaks before a newer one with other options, and that before a quick one', async () => {
  const whole = await made('broadcast')
  const other = await made('idle', { rounds: 3 })
  await made('broadcast', { rounds: 3 })
  await made('broadcast', { rounds: 1, quick: true })
  await made('idle', { rounds: 1, quick: true })
  expect(await newest()).toEqual([
    ['broadcast', momentOf(whole)],
    ['idle', momentOf(other), 'rounds 3'],
  ])
})

test('where there is no other, a quick run has to do', async () => {
  const quick = await made('idle', { rounds: 1, quick: true })
  expect(await newest()).toEqual([['idle', momentOf(quick)]])
})

test('what was not measured whole does not count unless it is asked for', async () => {
  const half = await made('broadcast', { done: 1 })
  await made('idle', { done: 0 })
  expect(await newest()).toEqual([])
  expect(await newest(true)).toEqual([['broadcast', momentOf(half)]])
})

test('what failed since the run that speaks is report, and where it speaks itself, too', async () => {
  await made('broadcast', { failed: 2 })
  await made('broadcast')
  await made('idle')
  await made('broadcast', { failed: 2 })
  const failed = async (unfinished: boolean) =>
    (await newestReports(runs.toReversed(), scenarios, { unfinished })).map((picked) => picked.failed)
  const words = 'diptych, sse, round 2: Error: lost (3)'
  expect(await failed(false)).toEqual([[words], []])
  await made('idle', { failed: 1 })
  expect(await failed(false)).toEqual([[words], ['diptych, sse, round 1: Error: lost (4)']])
})
