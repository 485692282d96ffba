/** Runs a plan, or what is left of it, and keeps each outcome. Knows no scenario. */
import { SATURATED } from '../support/machine.ts'
import { type TimeLimit, ScenarioScope } from '../support/context.ts'
import type { BoundScenario } from '../support/scenario.ts'
import type { Outcome, Trial } from '../support/trial.ts'
import { duration, Progress } from './progress.ts'
import type { RunFolder } from './folder.ts'

export interface RunResult {
  readonly failed: number
  /** Ctrl-C. */
  readonly stopped: boolean
}

export interface RunOptions {
  readonly folder: RunFolder
  /** Where servers keep their data. */
  readonly dataFolder: string
  readonly signal: AbortSignal
  /** Milliseconds each of fdatasync on the servers' disk. Called before each trial: a disk's bad moments come when they like. */
  fsync(): Promise<readonly number[]>
  say(line: string): void
}

/** Trials that failed are kept as failed, and the others go on: no figure is left out because one could not be had. */
export async function runAll(plan: readonly BoundScenario[], options: RunOptions): Promise<RunResult> {
  const { folder, signal } = options
  const left = await remainingTrials(plan, folder)
  const progress = new Progress(left, options.say)
  let failed = 0
  for (const { bound, trials } of left) {
    if (trials.length === 0) continue
    await using stage = new ScenarioScope(options.dataFolder, signal, options.say)
    for (const trial of trials) {
      if (signal.aborted) return { failed, stopped: true }
      progress.begin(bound, trial)
      if (!(await runOne(bound, trial, stage, options)) && !signal.aborted) failed++
      progress.end(bound, trial)
    }
  }
  return { failed, stopped: signal.aborted }
}

export interface RemainingTrials {
  readonly bound: BoundScenario
  readonly trials: readonly Trial[]
}

export const remainingTrials = (
  plan: readonly BoundScenario[],
  folder: RunFolder,
): Promise<RemainingTrials[]> =>
  Promise.all(
    plan.map(async (bound) => {
      const done = await Promise.all(bound.trials.map((trial) => folder.outcome(bound.scenario.name, trial)))
      return { bound, trials: bound.trials.filter((_, index) => done[index] === undefined) }
    }),
  )

async function runOne(
  bound: BoundScenario,
  trial: Trial,
  stage: ScenarioScope,
  options: RunOptions,
): Promise<boolean> {
  const { folder, signal } = options
  const startedAt = performance.now()
  try {
    const fsync = await options.fsync()
    const { result, load } = await unlessAborted(
      signal,
      stage.runTrial((ctx) => bound.run(trial, ctx), limitOf(bound, trial)),
    )
    const outcome: Outcome = {
      trial,
      data: result,
      at: new Date().toISOString(),
      seconds: Math.round(performance.now() - startedAt) / 1000,
      load,
      saturated: load > SATURATED,
      fsync,
    }
    await folder.keep(bound.scenario.name, outcome)
    return true
  } catch (error) {
    if (signal.aborted) return false
    const failed = error instanceof Error ? (error.stack ?? error.message) : String(error)
    options.say(`  failed: ${failed}`)
    await folder.keep(bound.scenario.name, { trial, failed })
    return false
  }
}

/** A slow machine is given time; what waits for something that never comes is given up, and kept as failed. */
function limitOf(bound: BoundScenario, trial: Trial): TimeLimit {
  const seconds = 5 * bound.estimate(trial) + 120
  return { ms: seconds * 1000, words: `was not over after ${duration(seconds)}, and is given up` }
}

/** Ctrl-C waits for no trial: it is left behind, and what it started is ended with the process. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
