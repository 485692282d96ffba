/** Time and chance are passed in, so that a test can control them. */
import { runLater } from '../run-later.ts'

export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number
  /** Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** In [0, 1). */
  random(): number
}

export const realClock: Clock = {
  now: () => performance.now(),
  after: runLater,
  random: Math.random,
}
