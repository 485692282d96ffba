/**
 * How often a room commits and tells: at once where it is calm. In a busy one what comes within a few ms of the last turn waits and
 * goes together, so that many edits cost one commit, and each of many readers one frame. Knows time; does not know what is told.
 */

/** What telling one seat takes at most, writing included, in ms. A room spends a quarter of its time at it, or waits the longest. */
const MS_PER_MEMBER = 0.0125
const PAUSE_FACTOR = 4
/** 10 ms are reached with 200 seats. */
const MAX_PAUSE_MS = 40

/** Of a pause. Where nothing was said for a while the first of hundreds may be the first of a burst: 1 ms with 200 seats. */
const QUIET_SHARE = 0.05

/** From one turn to the next. */
export function pauseMsFor(members: number): number {
  const pause = members * MS_PER_MEMBER * PAUSE_FACTOR
  return pause < 1 ? 0 : Math.min(pause, MAX_PAUSE_MS)
}

export class BatchPacing {
  #nextAt = 0
  #isStopped = false
  #endSleep = () => {}

  /**
   * Resolves when a turn may begin. In a room that might be busy that is once no more comes with what asks for it: hundreds who
   * write at once are told of each other once, and not first of the quickest. @param countWaiting How many edits wait.
   */
  async waitForBatch(members: number, countWaiting: () => number): Promise<void> {
    const pause = pauseMsFor(members)
    if (pause === 0) return
    const waitMs = this.#waitMs
    if (waitMs > 0) await this.#sleep(waitMs)
    await this.#waitForQuiet(
      countWaiting,
      waitMs > 0 ? 0 : Math.round(pause * QUIET_SHARE),
      performance.now() + pause,
    )
    this.#nextAt = performance.now() + pause
  }

  /** Until nothing more came for so long, by whole turns of the loop, or it is too late. */
  async #waitForQuiet(waiting: () => number, ms: number, latest: number): Promise<void> {
    let before = -1
    while (before < waiting() && performance.now() < latest && !this.#isStopped) {
      before = waiting()
      await (ms > 0 ? this.#sleep(ms) : new Promise((resolve) => setImmediate(resolve)))
    }
  }

  /** A turn was a moment ago. */
  get isPausing(): boolean {
    return this.#waitMs > 0
  }

  /** Whoever waits goes on at once. */
  stop(): void {
    this.#isStopped = true
    this.#endSleep()
  }

  get #waitMs(): number {
    return Math.round(this.#nextAt - performance.now())
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
