/** Time and chance are passed in, so that a test can control them. */
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
  after(ms, run) {
    // Callers keep the cancel function longer than the timer. Clearing the timer frees what its callback holds.
    let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(() => {
      timer = undefined
      run()
    }, ms)
    return () => {
      clearTimeout(timer)
      timer = undefined
    }
  },
  random: Math.random,
}
