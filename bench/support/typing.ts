/** A typist who does not wait for anybody: keys go down at their times, whatever became of those before (L3). */
import type { Page } from '@playwright/test'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { clockDifference } from './browser.ts'
import { untilQuiet } from './machine.ts'
import { collectKeyTimes, type KeyTimes, type WindowGroup } from './typed-windows.ts'

const words = 'the quick brown fox jumps over the lazy dog and '

export const textOf = (keys: number): string => words.repeat(Math.ceil(keys / words.length)).slice(0, keys)

export interface Typing {
  /** ms between keys, on average. */
  readonly interval: number
  /** Subjects of one round are typed into alike. */
  readonly seed: number
}

/**
 * A human's rhythm is uneven, and an even one would fall into step with the screen's frames.
 *
 * @returns The most that a key was given to the browser after its time, in ms.
 */
export async function type(page: Page, text: string, { interval, seed }: Typing): Promise<number> {
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
  /** The most that two windows' clocks differ, in ms: what a time from one to another may be wrong by. */
  readonly clockDifference: number
  /** The most that a key was given to the browser after its time, in ms. */
  readonly latest: number
  /** For each reader, of the keys that count. */
  readonly readers: readonly (readonly KeyTimes[])[]
}

/** As long as a trial with pages waits at most for the machine to have nothing else to do. */
export const PAGES_QUIET_MS = 20_000

/** Before those that count. */
export const WARM_UP_KEYS = 40

export interface TypingOptions extends Typing {
  readonly keys: number
  /** Runs while the keys go down and until the last one is everywhere. */
  readonly around: <Result>(work: () => Promise<Result>) => Promise<Result>
}

export async function typeInto(group: WindowGroup, options: TypingOptions): Promise<TypedKeys> {
  const { keys, around } = options
  const text = textOf(WARM_UP_KEYS + keys)
  await untilQuiet(PAGES_QUIET_MS)
  const { latest, readers } = await around(async () => ({
    latest: await type(group.writer, text, options),
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
