/** Types into pages in an open loop: each key goes down at its time, whatever became of those before (L3). */
import type { Page } from '@playwright/test'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { clockDifference } from './browser.ts'
import { untilQuiet } from './machine.ts'
import { collectKeyTimes, type KeyTimes, type TypedWindows } from './typed-windows.ts'

const words = 'the quick brown fox jumps over the lazy dog and '

export const createText = (keys: number): string =>
  words.repeat(Math.ceil(keys / words.length)).slice(0, keys)

export interface TypingPace {
  /** The mean of the ms between two keys. */
  readonly interval: number
  /** Decides the rhythm, which is the same for all subjects of a round. */
  readonly seed: number
}

/**
 * Types at uneven intervals, as people do: an even rhythm would fall into step with the screen's frames.
 *
 * @returns By how many ms the latest key was late.
 */
export async function typeText(page: Page, text: string, { interval, seed }: TypingPace): Promise<number> {
  const random = createSeededRandom(seed)
  const pressed: Promise<void>[] = []
  let latest = 0
  let due = performance.now()
  for (const key of text) {
    due += interval * (0.5 + random.next())
    await sleepUntil(due)
    latest = Math.max(latest, performance.now() - due)
    pressed.push(page.keyboard.press(key === ' ' ? 'Space' : key))
  }
  await Promise.all(pressed)
  return latest
}

export interface TypedKeys {
  /** The largest difference between the clocks of two windows, in ms: a time between windows may be wrong by as much. */
  readonly clockDifference: number
  /** By how many ms the latest key was late. */
  readonly latest: number
  /** For each reader the times of the keys after the warm-up. */
  readonly readers: readonly (readonly KeyTimes[])[]
}

/** The longest time that a trial with pages waits for a quiet machine. */
export const PAGES_QUIET_MS = 20_000

/** The number of keys before those that count. */
export const WARM_UP_KEYS = 40

export interface TypingOptions extends TypingPace {
  readonly keys: number
  /** Wraps the measurement, from the first key until the last one has arrived everywhere. */
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export async function typeIntoWindows(group: TypedWindows, options: TypingOptions): Promise<TypedKeys> {
  const { keys, around } = options
  const text = createText(WARM_UP_KEYS + keys)
  await untilQuiet(PAGES_QUIET_MS)
  const { latest, readers } = await around(async () => ({
    latest: await typeText(group.writer, text, options),
    readers: await collectKeyTimes(group, text),
  }))
  const differences = []
  for (const reader of group.readers) differences.push(await clockDifference(group.writer, reader))
  return {
    clockDifference: Math.max(...differences.map(Math.abs)),
    latest,
    readers: readers.map((times) => times.slice(WARM_UP_KEYS)),
  }
}
