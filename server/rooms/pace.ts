/**
 * How often a room commits and tells: at once where it is calm. In a busy one what comes within a few ms of the last turn waits and
 * goes together, so that many edits cost one commit, and each of many readers one frame. Knows time; does not know what is told.
 */

/** What telling one seat takes at most, writing included, in ms. A room spends a quarter of its time at it, or waits the longest. */
const A_SEAT_MS = 0.0125
const SHARE = 4
/** 10 ms are reached with 200 seats. */
const LONGEST_MS = 40

/** Of a pause. Where nothing was said for a while the first of hundreds may be the first of a burst: 1 ms with 200 seats. */
const LULL = 0.05

/** From one turn to the next. */
export function pauseFor(seats: number): number {
  const pause = seats * A_SEAT_MS * SHARE
  return pause < 1 ? 0 : Math.min(pause, LONGEST_MS)
}

export class Pace {
  #nextAt = 0
  #isStopped = false
  #endSleep = () => {}

  /**
   * Resolves when a turn may begin. In a room that might be busy that is once no more comes with what asks for it: hundreds who
   * write at once are told of each other once, and not first of the quickest. @param waiting How many edits wait.
   */
  async turn(seats: number, waiting: () => number): Promise<void> {
    const pause = pauseFor(seats)
    if (pause === 0) return
    const wait = this.#wait
    if (wait > 0) await this.#sleep(wait)
    await this.#lull(waiting, wait > 0 ? 0 : Math.round(pause * LULL), performance.now() + pause)
    this.#nextAt = performance.now() + pause
  }

  /** Until nothing more came for so long, by whole turns of the loop, or it is too late. */
  async #lull(waiting: () => number, ms: number, latest: number): Promise<void> {
    let before = -1
    while (before < waiting() && performance.now() < latest && !this.#isStopped) {
      before = waiting()
      await (ms > 0 ? this.#sleep(ms) : new Promise((resolve) => setImmediate(resolve)))
    }
  }

  /** A turn was a moment ago. */
  get pauses(): boolean {
    return this.#wait > 0
  }

  /** Whoever waits goes on at once. */
  stop(): void {
    this.#isStopped = true
    this.#endSleep()
  }

  get #wait(): number {
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
