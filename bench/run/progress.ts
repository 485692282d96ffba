/** Prints a line for each trial, with the time that is left: the estimates, corrected by how long the trials took so far. */
import { FSYNC_PAUSE_MS, FSYNCS_A_TRIAL } from '../support/fsync.ts'
import { type BoundScenario } from '../support/scenario.ts'
import { type Trial, wordsOf } from '../support/trial.ts'

/** Estimates are not corrected much before this time, because the first trial also starts what the others share. */
const TRUSTED_SECONDS = 30
/** The time to measure the disk before a trial. A sync takes 2 ms on a slow disk. */
const DISK_SECONDS = (FSYNCS_A_TRIAL * (FSYNC_PAUSE_MS + 2)) / 1000
/** The time to build the pages if they are not built. */
const BUILD_SECONDS = 90

/** A scenario, and its trials that have not been run. */
export interface RemainingTrials {
  readonly bound: BoundScenario
  readonly trials: readonly Trial[]
}

export class Progress {
  readonly #total: number
  readonly #print: (line: string) => void
  #done = 0
  #estimatedLeft: number
  #estimatedDone = 0
  #spent = 0
  #startedAt = 0

  constructor(left: readonly RemainingTrials[], print: (line: string) => void) {
    this.#total = left.reduce((sum, { trials }) => sum + trials.length, 0)
    this.#estimatedLeft = left.reduce((sum, one) => sum + estimateSeconds(one), 0)
    this.#print = print
  }

  begin({ scenario, trials }: BoundScenario, trial: Trial): void {
    this.#startedAt = performance.now()
    const rounds = Math.max(...trials.map(({ round }) => round))
    const what = `${scenario.name}: ${wordsOf(trial)} of ${rounds}`
    this.#print(`${this.#done + 1}/${this.#total}  ${what}  (${formatDuration(this.#left())} left)`)
  }

  end(bound: BoundScenario, trial: Trial): void {
    const estimate = estimateSeconds({ bound, trials: [trial] })
    this.#spent += (performance.now() - this.#startedAt) / 1000
    this.#estimatedDone += estimate
    this.#estimatedLeft -= estimate
    this.#done++
  }

  #left(): number {
    return (this.#estimatedLeft * (this.#spent + TRUSTED_SECONDS)) / (this.#estimatedDone + TRUSTED_SECONDS)
  }
}

export const estimateSeconds = ({ bound, trials }: RemainingTrials): number =>
  trials.reduce((sum, trial) => sum + bound.estimate(trial) + DISK_SECONDS, 0)

/** Adds the time before the first trial. */
export const estimateTotalSeconds = (
  left: readonly RemainingTrials[],
  { build, fsyncs }: { readonly build: boolean; readonly fsyncs: number },
): number =>
  left.reduce((sum, one) => sum + estimateSeconds(one), 0) +
  (fsyncs * FSYNC_PAUSE_MS) / 1000 +
  (build ? BUILD_SECONDS : 0)

export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const trialCount = (trials: number): string => `${trials} ${trials === 1 ? 'trial' : 'trials'}`
