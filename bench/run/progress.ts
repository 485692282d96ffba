/** A line a trial: which it is, and how long all that is left will take, corrected by how long the trials before took. */
import { FSYNC_PAUSE_MS, FSYNCS_A_TRIAL } from '../support/fsync.ts'
import { type BoundScenario } from '../support/scenario.ts'
import { type Trial, wordsOf } from '../support/trial.ts'

/** Seconds for which the estimates are believed: the first trial starts what the others share. */
const TRUST = 30
/** Of the disk, before each trial; a sync itself takes 2 ms where it is slow. */
const PROBE_SECONDS = (FSYNCS_A_TRIAL * (FSYNC_PAUSE_MS + 2)) / 1000
/** Of the pages, where they are not built. */
const BUILD_SECONDS = 90

export class Progress {
  readonly #total: number
  readonly #say: (line: string) => void
  #done = 0
  #estimatedLeft: number
  #estimatedDone = 0
  #spent = 0
  #startedAt = 0

  constructor(
    left: readonly { readonly bound: BoundScenario; readonly trials: readonly Trial[] }[],
    say: (line: string) => void,
  ) {
    this.#total = left.reduce((sum, { trials }) => sum + trials.length, 0)
    this.#estimatedLeft = left.reduce((sum, { bound, trials }) => sum + secondsOf(bound, trials), 0)
    this.#say = say
  }

  begin({ scenario, trials }: BoundScenario, trial: Trial): void {
    this.#startedAt = performance.now()
    const rounds = Math.max(...trials.map(({ round }) => round))
    const what = `${scenario.name}: ${wordsOf(trial)} of ${rounds}`
    this.#say(`${this.#done + 1}/${this.#total}  ${what}  (${duration(this.#left())} left)`)
  }

  end(bound: BoundScenario, trial: Trial): void {
    const estimate = secondsOf(bound, [trial])
    this.#spent += (performance.now() - this.#startedAt) / 1000
    this.#estimatedDone += estimate
    this.#estimatedLeft -= estimate
    this.#done++
  }

  #left(): number {
    return (this.#estimatedLeft * (this.#spent + TRUST)) / (this.#estimatedDone + TRUST)
  }
}

export const secondsOf = (bound: BoundScenario, trials: readonly Trial[]): number =>
  trials.reduce((sum, trial) => sum + bound.estimate(trial) + PROBE_SECONDS, 0)

/** Of all that is left, and of what comes before the first trial. */
export const secondsOfAll = (
  left: readonly { readonly bound: BoundScenario; readonly trials: readonly Trial[] }[],
  { build, fsyncs }: { readonly build: boolean; readonly fsyncs: number },
): number =>
  left.reduce((sum, { bound, trials }) => sum + secondsOf(bound, trials), 0) +
  (fsyncs * FSYNC_PAUSE_MS) / 1000 +
  (build ? BUILD_SECONDS : 0)

export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
