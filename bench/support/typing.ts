/** A typist who does not wait for anybody: keys go down at their times, whatever became of those before (L3). */
import type { Page } from '@playwright/test'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'

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
