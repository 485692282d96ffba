/** A typist who does not wait for anybody: keys go down at their times, whatever became of those before (L3). */
import type { Page } from '@playwright/test'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'
import { clockDifference } from './browser.ts'
import { untilQuiet } from './machine.ts'
import type { WindowGroup, KeyTimes } from './typed-windows.ts'

const words = 'the quick brown fox jumps over the lazy dog and '

export const textOf = (keys: number): string => words.repeat(Math.ceil(keys / words.length)).slice(0, keys)

/** A human's rhythm is uneven, and an even one would fall into step with the screen's frames. Seeded: every run types alike. */
export function rhythm(keys: number, intervalMs: number, seed: number): number[] {
  const random = mulberry32(seed)
  let at = 0
  return Array.from({ length: keys }, () => (at += intervalMs * (0.5 + random())))
}

/** @returns By how many ms each key was given to the browser later than planned. */
export async function type(page: Page, text: string, times: readonly number[]): Promise<number[]> {
  const startedAt = performance.now()
  const late: number[] = []
  const pressed: Promise<void>[] = []
  for (const [index, key] of text.split('').entries()) {
    const due = startedAt + times[index]!
    await sleepUntil(due)
    late.push(performance.now() - due)
    pressed.push(page.keyboard.press(key === ' ' ? 'Space' : key))
  }
  await Promise.all(pressed)
  return late
}

/** https://gist.github.com/tommyettinger/46a874533244883189143505d203312c, public domain. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface TypedKeys {
  /** The most that two windows' clocks differ, in ms: what a time from one to another may be wrong by. */
  readonly clockDifference: number
  /** The most that a key was given to the browser after its time, in ms. */
  readonly latest: number
  /** For each reader, of the keys that count. */
  readonly readers: readonly (readonly KeyTimes[])[]
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

export async function typeInto(group: WindowGroup, options: TypingOptions): Promise<TypedKeys> {
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
