import { readdir } from 'node:fs/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  folderOfTest,
  outcomeOf,
  sampleRunInfo,
  sampleScenario,
  sampleSection,
} from '../fixtures/sample-run.ts'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'
import type { AimDeclaration } from '../report/metrics.ts'
import type { Context } from '../support/context.ts'
import type { Outcome, Trial } from '../support/trial.ts'
import { RunFolder, type RunInfo, unfinished } from './folder.ts'
import { readReports } from './read.ts'
import { type RunResult, runAll } from './run.ts'

/** What was run, in order: `A 1`. */
let ran: string[] = []
let doing: (trial: Trial, ctx: Context) => Promise<unknown> = () => Promise.resolve({})
let reported: readonly Outcome[] = []
let aims: readonly AimDeclaration[] = []

const made = sampleScenario({
  rounds: 2,
  plan: () => ['A', 'B'].map((subject) => ({ subject, lane: 'sse', params: {} })),
  run(trial, ctx) {
    ran.push(`${trial.subject} ${trial.round}`)
    return doing(trial, ctx)
  },
  report({ outcomes }) {
    reported = outcomes
    return { ...sampleSection, aims }
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
  aims = []
  doing = (trial) => Promise.resolve({ of: trial.subject })
  stop = new AbortController()
})

const run = (): Promise<RunResult> =>
  runAll([made.bind([], false)], {
    folder,
    dataFolder: parent,
    signal: stop.signal,
    fsync: () => Promise.resolve([0.5]),
    say: () => {},
  })

const sections = () => readReports(folder, [made])

test('trials run in the order of the plan, and the report has them all', async () => {
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['A 1', 'B 1', 'B 2', 'A 2'])
  const [report] = await sections()
  expect(reported.map(({ trial, data }) => [trial.subject, trial.round, data])).toEqual([
    ['A', 1, { of: 'A' }],
    ['B', 1, { of: 'B' }],
    ['B', 2, { of: 'B' }],
    ['A', 2, { of: 'A' }],
  ])
  expect(report?.section.notes.join()).toContain('4 trials; ')
})

test('a run goes on where it was stopped, and nothing of the trial that was stopped is kept', async () => {
  doing = (trial) => {
    if (ran.length < 2) return Promise.resolve({ of: trial.subject })
    stop.abort()
    return new Promise(() => {}) // it would never end
  }
  expect(await run()).toEqual({ failed: 0, stopped: true })
  expect(ran).toEqual(['A 1', 'B 1'])
  expect((await sections())[0]?.section.notes).toContain('3 of 4 trials have not been run.')
  ran = []
  stop = new AbortController()
  doing = (trial) => Promise.resolve({ of: trial.subject })
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['B 1', 'B 2', 'A 2'])
  ran = []
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual([])
})

test('one that fails is said in the report, does not keep the others from running, and is tried again', async () => {
  doing = ({ subject, round }) =>
    subject === 'B' && round === 1 ? Promise.reject(new Error('no port')) : Promise.resolve({})
  expect(await run()).toEqual({ failed: 1, stopped: false })
  expect(ran).toHaveLength(4)
  expect((await sections())[0]?.section.notes).toContain('FAILED: B, sse, round 1: Error: no port')
  ran = []
  doing = () => Promise.resolve({})
  expect(await run()).toEqual({ failed: 0, stopped: false })
  expect(ran).toEqual(['B 1'])
  expect((await sections())[0]).toMatchObject({ measured: 4, missing: 0 })
  expect((await sections())[0]?.section.notes).toContain(
    'FAILED: B, sse, round 1: Error: no port, and was run again',
  )
})

test('a trial leaves nothing behind; what is shared goes once the scenario is over', async () => {
  const ended: string[] = []
  let makings = 0
  doing = async ({ subject, round }, ctx) => {
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

test('seconds and load of an outcome are those of its trial', async () => {
  doing = (_, ctx) => ctx.measure(() => sleepUntil(performance.now() + 5))
  const startedAt = performance.now()
  await run()
  const all = (performance.now() - startedAt) / 1000
  await sections()
  const seconds = reported.map((outcome) => outcome.seconds)
  expect(seconds.every((one) => one >= 0.005)).toBe(true)
  expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThan(all + 0.004)
  for (const { load, saturated } of reported) {
    expect(load).toBeGreaterThanOrEqual(0)
    expect(load).toBeLessThanOrEqual(1)
    expect(saturated).toBe(load > 0.8)
  }
})

test('only a run of the same plan and the same source is gone on with, and only until it is finished', async () => {
  const { finished: _, ...open } = info
  await folder.writeInfo(open)
  expect((await unfinished(parent, open))?.name).toBe('run')
  expect(await unfinished(parent, { ...open, source: 'another' })).toBeUndefined()
  expect(await unfinished(parent, { ...open, quick: true })).toBeUndefined()
  expect(
    await unfinished(parent, { ...open, scenarios: [{ name: 'sample', values: { rounds: 3 } }] }),
  ).toBeUndefined()
  await folder.writeInfo(info)
  expect(await unfinished(parent, open)).toBeUndefined()
})

test('the disk is looked at before each trial, and the report says what it took', async () => {
  await run()
  const [report] = await sections()
  expect(report?.fsync).toEqual([0.5, 0.5, 0.5, 0.5])
  expect(report?.section.notes.join()).toContain('p50 0.50 ms, p99 0.5 ms, the longest of 4 0.5 ms')
})

test('what was measured is report where it would not be planned any more, behind what would', async () => {
  const elsewhere: Trial = { subject: 'A', lane: 'a recording that is not here', params: {}, round: 1 }
  await folder.keep('sample', outcomeOf(elsewhere, {}))
  await run()
  const [report] = await sections()
  expect(reported.map(({ trial }) => trial.lane)).toEqual(['sse', 'sse', 'sse', 'sse', elsewhere.lane])
  expect(report).toMatchObject({ measured: 5, missing: 0 })
})

test('a missed aim without a reason has what is known of the machine', async () => {
  const aim = { name: 'p99', measured: 18, limit: 16, unit: 'ms' }
  aims = [aim, { ...aim, reason: 'Its own.' }, { ...aim, measured: 5 }, { ...aim, unit: 'B' }]
  await run()
  await sections()
  // The load of the machine that runs this test is not asked.
  for (const [index, outcome] of reported.entries())
    await folder.keep('sample', { ...outcome, load: index === 0 ? 0.9 : 0.5, saturated: index === 0 })
  const reasons = (await sections())[0]!.section.aims.map(({ reason }) => reason)
  expect(reasons).toEqual([
    expect.stringContaining('In 1 of 4 of these trials'),
    'Its own.',
    undefined,
    expect.stringContaining('In 1 of 4 of these trials'),
  ])
})

test('a trial that hangs is given up and kept as failed, with what it started and shared ended, and the others go on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ended: string[] = []
  let browsers = 0
  doing = async ({ subject, round }, ctx) => {
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
  expect((await sections())[0]?.section.notes).toContain(
    'FAILED: B, sse, round 1: Error: was not over after 3 min, and is given up',
  )
})
