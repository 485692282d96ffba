/** One subject typed into once, in one lane. */
import { clockDifference } from './browser.ts'
import type { LaneName } from './lanes.ts'
import { untilQuiet, watchLoad } from './machine.ts'
import type { Stations, Subject } from './subject.ts'
import { rhythm, textOf, type } from './typing.ts'

export interface Trial {
  readonly round: number
  readonly lane: LaneName
  readonly subject: Subject['name']
  /** Between the two windows' clocks, in ms: what a time from one to the other may be wrong by. */
  readonly clockDifference: number
  /** Of all cores, 0 to 1. */
  readonly load: number
  /** The most that a key was given to the browser after its time, in ms. */
  readonly latest: number
  readonly keys: readonly Stations[]
}

/** As long as a trial waits at most for the machine to have nothing else to do. */
const QUIET_MS = 20_000

export interface TrialOptions {
  readonly round: number
  readonly lane: LaneName
  readonly keys: number
  readonly warmUp: number
  readonly intervalMs: number
}

export async function runTrial(subject: Subject, options: TrialOptions): Promise<Trial> {
  const { round, lane, keys, warmUp, intervalMs } = options
  const pair = await subject.open(lane)
  try {
    const text = textOf(warmUp + keys)
    // The seed is the round's: both subjects of a round are typed into alike.
    const times = rhythm(text.length, intervalMs, round)
    await untilQuiet(QUIET_MS)
    const loadSince = watchLoad()
    const late = await type(pair.writer, text, times)
    const load = loadSince()
    return {
      round,
      lane,
      subject: subject.name,
      clockDifference: await clockDifference(pair.writer, pair.reader),
      load,
      latest: Math.max(...late),
      keys: (await pair.collect(text)).slice(warmUp),
    }
  } finally {
    await pair.close()
  }
}
