/**
 * Decides when a room commits and broadcasts: at once in a calm room, and the first edit of a burst everywhere. In a busy room, edits that
 * come within a few ms of the last batch wait for the next, so that many edits cost one commit, and one frame for each reader. Knows time;
 * does not know the edits.
 */
import { InterruptibleWait } from '../timeouts.ts'

/** A broadcast to one member, writing included, takes at most this long. */
const MS_PER_MEMBER = 0.0125
/** A room spends at most a quarter of its time on broadcasts, unless the pause is at its maximum. */
const PAUSE_FACTOR = 4
/** 200 members pause for 10 ms. */
const MAX_PAUSE_MS = 40

/** The least time from one batch to the next. */
export function pauseMsFor(members: number): number {
  const pause = members * MS_PER_MEMBER * PAUSE_FACTOR
  return pause < 1 ? 0 : Math.min(pause, MAX_PAUSE_MS)
}

export class BatchPacing {
  #nextAt = 0
  #isStopped = false
  readonly #sleep = new InterruptibleWait()

  /** Resolves when a batch may begin. @param countWaiting Returns how many edits wait. */
  async waitForBatch(members: number, countWaiting: () => number): Promise<void> {
    const pause = pauseMsFor(members)
    const waitMs = pause > 0 ? this.#waitMs : 0
    if (waitMs > 0) {
      await this.#sleep.wait(waitMs)
      await this.#waitForQuiet(countWaiting, performance.now() + pause)
    }
    this.#nextAt = performance.now() + pause
  }

  /** Waits until a turn of the event loop brings no more edits, but no longer than until `latest`. */
  async #waitForQuiet(waiting: () => number, latest: number): Promise<void> {
    let before = -1
    while (before < waiting() && performance.now() < latest && !this.#isStopped) {
      before = waiting()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** True for a pause after a batch. */
  get isPausing(): boolean {
    return this.#waitMs > 0
  }

  /** Ends all waiting at once. */
  stop(): void {
    this.#isStopped = true
    this.#sleep.end()
  }

  get #waitMs(): number {
    return Math.round(this.#nextAt - performance.now())
  }
}
