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
    // The undo is kept longer than the timer, which keeps all that it would do.
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
