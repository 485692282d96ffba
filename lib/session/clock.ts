/** Time and chance as powers that come in, so that a test can own them. */
export interface Clock {
  /** Milliseconds, monotonic. */
  now(): number
  /** Returns the undo. */
  after(ms: number, run: () => void): () => void
  /** In [0, 1). */
  random(): number
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  random: Math.random,
}
