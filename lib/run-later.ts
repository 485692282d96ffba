/** Runs it once so many milliseconds have passed. Returns a function that cancels it. */
export function runLater(ms: number, run: () => void): () => void {
  // Callers keep the cancel function longer than the timer. Clearing the timer frees what its callback holds.
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(() => {
    timer = undefined
    run()
  }, ms)
  return () => {
    clearTimeout(timer)
    timer = undefined
  }
}
