/** What the links of a session leave behind in numbers. */
import type { Clock } from './clock.ts'
import type { Traffic } from './live-link.ts'

export class LinkRecord {
  readonly #clock: Clock
  readonly traffic: Traffic = { framesUp: 0, framesDown: 0, bytesUp: 0, bytesDown: 0 }
  /** Links that were proven. */
  opened = 0
  switches = 0
  /** Longest time without any link since the first one was up. */
  longestGapMs = 0
  roundTripMs: number | undefined
  #gapSince: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  beginGap(): void {
    this.#gapSince = this.#clock.now()
  }

  endGap(): void {
    if (this.#gapSince === null) return
    this.longestGapMs = Math.max(this.longestGapMs, this.#clock.now() - this.#gapSince)
    this.#gapSince = null
  }
}
