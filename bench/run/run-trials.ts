/** Runs the trials of a plan that have no outcome yet, and saves each outcome. Knows no scenario. */
import { SATURATED } from '../support/machine.ts'
import { type TimeLimit, ScenarioScope } from '../support/context.ts'
import type { BoundScenario } from '../support/scenario.ts'
import type { Outcome, Trial } from '../support/trial.ts'
import { formatDuration, Progress, type RemainingTrials } from './progress.ts'
import type { RunFolder } from './run-folder.ts'

export interface RunResult {
  readonly failed: number
  /** Somebody pressed Ctrl-C. */
  readonly stopped: boolean
}

export interface RunOptions {
  readonly folder: RunFolder
  /** Servers have their data folders here. */
  readonly dataFolder: string
  readonly signal: AbortSignal
  /** Measures fdatasync on the servers' disk, in milliseconds. It is called before each trial, because a disk can be slow at any time. */
  measureFsync(): Promise<readonly number[]>
  print(line: string): void
}

/** Saves a failed trial as failed and goes on with the others, so that one failure costs no other figure. */
export async function runTrials(plan: readonly BoundScenario[], options: RunOptions): Promise<RunResult> {
  const { folder, signal } = options
  const left = await remainingTrials(plan, folder)
  const progress = new Progress(left, options.print)
  let failed = 0
  for (const { bound, trials } of left) {
    if (trials.length === 0) continue
    await using scope = new ScenarioScope(options.dataFolder, signal, options.print)
    for (const trial of trials) {
      if (signal.aborted) return { failed, stopped: true }
      progress.begin(bound, trial)
      if (!(await runTrial(bound, trial, scope, options)) && !signal.aborted) failed++
      progress.end(bound, trial)
    }
  }
  return { failed, stopped: signal.aborted }
}

export const remainingTrials = (
  plan: readonly BoundScenario[],
  folder: RunFolder,
): Promise<RemainingTrials[]> =>
  Promise.all(
    plan.map(async (bound) => {
      const done = await Promise.all(
        bound.trials.map((trial) => folder.readOutcome(bound.scenario.name, trial)),
      )
      return { bound, trials: bound.trials.filter((_, index) => done[index] === undefined) }
    }),
  )

async function runTrial(
  bound: BoundScenario,
  trial: Trial,
  scope: ScenarioScope,
  options: RunOptions,
): Promise<boolean> {
  const { folder, signal } = options
  const startedAt = performance.now()
  try {
    const fsync = await options.measureFsync()
    const { result, load, refusals } = await unlessAborted(
      signal,
      scope.runTrial((ctx) => bound.run(trial, ctx), limitOf(bound, trial)),
    )
    const outcome: Outcome = {
      trial,
      data: result,
      at: new Date().toISOString(),
      seconds: Math.round(performance.now() - startedAt) / 1000,
      load,
      saturated: load > SATURATED,
      fsync,
      refusals,
    }
    await folder.saveTrial(bound.scenario.name, outcome)
    return true
  } catch (error) {
    if (signal.aborted) return false
    const failed = error instanceof Error ? (error.stack ?? error.message) : String(error)
    options.print(`  failed: ${failed}`)
    await folder.saveTrial(bound.scenario.name, { trial, failed })
    return false
  }
}

/** Gives a slow machine time, and gives up a trial that waits for something that never comes. */
function limitOf(bound: BoundScenario, trial: Trial): TimeLimit {
  const seconds = 5 * bound.estimate(trial) + 120
  return { ms: seconds * 1000, words: `was not over after ${formatDuration(seconds)}, and is given up` }
}

/** Ctrl-C does not wait for the trial. Programs that the trial started end with the process. */
function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('stopped'))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
