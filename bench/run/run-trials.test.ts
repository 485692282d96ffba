import { readdir } from 'node:fs/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { folderOfTest, sampleRunInfo, sampleScenario, sampleSection } from '../fixtures/sample-run.ts'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'
import type { Context } from '../support/context.ts'
import type { Outcome, Trial } from '../support/trial.ts'
import { findUnfinishedRun, RunFolder, type RunInfo } from './run-folder.ts'
import { readReports } from './read-reports.ts'
import { type RunResult, runTrials } from './run-trials.ts'

/** The trials that ran, in order: `A 1`. */
let ran: string[] = []
let runTrial: (trial: Trial, ctx: Context) => Promise<unknown> = () => Promise.resolve({})
let reported: readonly Outcome[] = []

const twoSubjects = sampleScenario({
  rounds: 2,
  plan: () => ['A', 'B'].map((subject) => ({ subject, lane: 'sse', params: {} })),
  run(trial, ctx) {
    ran.push(`${trial.subject} ${trial.round}`)
    return runTrial(trial, ctx)
  },
  report({ outcomes }) {
    reported = outcomes
    return sampleSection
  },
})

const info: RunInfo = { ...sampleRunInfo, scenarios: [{ name: 'sample', values: { rounds: 2 } }] }
let parent: string
let folder: RunFolder
let stop: AbortController

beforeEach(async () => {
  parent = await folderOfTest()
  folder = await RunFolder.create(parent, 'run', info)
  ran = []
  runTrial = (trial) => Promise.resolve({ of: trial.subject })
  stop = new AbortController()
})

const run = (): Promise<RunResult> =>
  runTrials([twoSubjects.bind([], false)], {
    folder,
    dataFolder: parent,
    signal: stop.signal,
    measureFsync: () => Promise.resolve([0.5]),
    print: () => {},
  })

const readSections = () => readReports(folder, [twoSubjects])

test('trials run in the order of the plan after a look at the disk, and the report has them all', async () => {
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['A 1', 'B 1', 'B 2', 'A 2'])
  const [report] = await readSections()
  expect(reported.map(({ trial, data }) => [trial.subject, trial.round, data])).toEqual([
    ['A', 1, { of: 'A' }],
    ['B', 1, { of: 'B' }],
    ['B', 2, { of: 'B' }],
    ['A', 2, { of: 'A' }],
  ])
  expect(report?.fsync).toEqual([0.5, 0.5, 0.5, 0.5])
  expect(report?.section.notes.join()).toContain('4 trials; ')
  expect(report?.section.notes.join()).toContain('p50 0.50 ms, p99 0.5 ms, longest of 4 0.5 ms')
})

test('a run goes on where it was stopped, and saves nothing of the stopped trial', async () => {
  runTrial = (trial) => {
    if (ran.length < 2) return Promise.resolve({ of: trial.subject })
    stop.abort()
    return new Promise(() => {})
  }
  expect(await run()).toEqual({ failed: 0, stopped: true })
  expect(ran).toEqual(['A 1', 'B 1'])
  expect((await readSections())[0]?.section.notes).toContain('3 of 4 trials have not been run.')
  ran = []
  stop = new AbortController()
  runTrial = (trial) => Promise.resolve({ of: trial.subject })
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['B 1', 'B 2', 'A 2'])
  ran = []
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual([])
})

test('a failed trial is in the report, does not stop the others, and is run again', async () => {
  runTrial = ({ subject, round }) =>
    subject === 'B' && round === 1 ? Promise.reject(new Error('no port')) : Promise.resolve({})
  expect(await run()).toEqual({ failed: 1, stopped: false })
  expect(ran).toHaveLength(4)
  expect((await readSections())[0]?.section.notes).toContain('FAILED: B, sse, round 1: Error: no port')
  ran = []
  runTrial = () => Promise.resolve({})
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['B 1'])
  expect((await readSections())[0]).toMatchObject({ measured: 4, missing: 0 })
  expect((await readSections())[0]?.section.notes).toContain(
    'FAILED: B, sse, round 1: Error: no port, and was run again',
  )
})

test('a trial leaves nothing behind, and what trials share ends with the scenario', async () => {
  const ended: string[] = []
  let makings = 0
  runTrial = async ({ subject, round }, ctx) => {
    await ctx.shared('browser', (scope) => {
      makings++
      scope.defer(() => void ended.push('browser'))
      return Promise.resolve({})
    })
    ctx.defer(() => void ended.push(`${subject} ${round}`))
    return {}
  }
  await run()
  expect(ended).toEqual(['A 1', 'B 1', 'B 2', 'A 2', 'browser'])
  expect(makings).toBe(1)
  expect(await readdir(parent)).toEqual(['run'])
})

test('an outcome has the seconds and the load of its trial', async () => {
  runTrial = (_, ctx) => ctx.measure(() => sleepUntil(performance.now() + 5))
  const startedAt = performance.now()
  await run()
  const all = (performance.now() - startedAt) / 1000
  await readSections()
  const seconds = reported.map((outcome) => outcome.seconds)
  expect(seconds.every((one) => one >= 0.005)).toBe(true)
  expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThan(all + 0.004)
  for (const { load, saturated } of reported) {
    expect(load).toBeGreaterThanOrEqual(0)
    expect(load).toBeLessThanOrEqual(1)
    expect(saturated).toBe(load > 0.8)
  }
})

test('only an unfinished run with the same plan and the same source is continued', async () => {
  const { finished: _, ...open } = info
  await folder.writeInfo(open)
  expect((await findUnfinishedRun(parent, open))?.name).toBe('run')
  expect(await findUnfinishedRun(parent, { ...open, source: 'another' })).toBeUndefined()
  expect(await findUnfinishedRun(parent, { ...open, quick: true })).toBeUndefined()
  expect(
    await findUnfinishedRun(parent, { ...open, scenarios: [{ name: 'sample', values: { rounds: 3 } }] }),
  ).toBeUndefined()
  await folder.writeInfo(info)
  expect(await findUnfinishedRun(parent, open)).toBeUndefined()
})

test('a trial that hangs is given up and saved as failed, what it started and shared ends, and the others go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended: string[] = []
  let browsers = 0
  runTrial = async ({ subject, round }, ctx) => {
    const browser = await ctx.shared('browser', (scope) => {
      const name = `browser ${++browsers}`
      scope.defer(() => void ended.push(name))
      return Promise.resolve(name)
    })
    ctx.defer(() => void ended.push(`${subject} ${round}`))
    if (subject !== 'B' || round !== 1) return { browser }
    ctx.signal.addEventListener('abort', () => ended.push('report'))
    setImmediate(() => vi.advanceTimersByTime(5_000 + 120_000))
    return new Promise(() => {})
  }
  expect(await run()).toEqual({ failed: 1, stopped: false })
  expect(ended).toEqual(['A 1', 'report', 'B 1', 'browser 1', 'B 2', 'A 2', 'browser 2'])
  expect((await readSections())[0]?.section.notes).toContain(
    'FAILED: B, sse, round 1: Error: was not over after 3 min, and is given up',
  )
})
