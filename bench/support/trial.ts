/** One subject typed into once, in one lane. */
import { clockDifference } from './browser.ts'
import { untilQuiet } from './machine.ts'
import type { Group, Stations } from './subject.ts'
import { rhythm, textOf, type } from './typing.ts'

export interface Typed {
  /** The most that two windows' clocks differ, in ms: what a time from one to another may be wrong by. */
  readonly clockDifference: number
  /** The most that a key was given to the browser after its time, in ms. */
  readonly latest: number
  /** For each reader, of the keys that count. */
  readonly readers: readonly (readonly Stations[])[]
}

/** As long as a trial waits at most for the machine to have nothing else to do. */
const QUIET_MS = 20_000

export interface TypingOptions {
  readonly keys: number
  readonly warmUp: number
  readonly intervalMs: number
  /** Subjects of one round are typed into alike. */
  readonly seed: number
  /** Runs while the keys go down and until the last one is everywhere. */
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export async function typeInto(group: Group, options: TypingOptions): Promise<Typed> {
  const { keys, warmUp, intervalMs, seed, around } = options
  const text = textOf(warmUp + keys)
  const times = rhythm(text.length, intervalMs, seed)
  await untilQuiet(QUIET_MS)
  const { late, readers } = await around(async () => {
    const late = await type(group.writer, text, times)
    return { late, readers: await group.collect(text) }
  })
  const differences = []
  for (const reader of group.readers) differences.push(await clockDifference(group.writer, reader))
  return {
    clockDifference: Math.max(...differences.map(Math.abs)),
    latest: Math.max(...late),
    readers: readers.map((stations) => stations.slice(warmUp)),
  }
}
