/** Links that another relieved and that say their last (S4): each for five seconds at most. */
import type { Clock } from './clock.ts'
import type { LiveLink } from './live-link.ts'

const DRAIN_MS = 5_000

export class Draining {
  readonly #clock: Clock
  readonly #links = new Map<LiveLink, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(link: LiveLink): void {
    this.#links.set(
      link,
      this.#clock.after(DRAIN_MS, () => this.end(link)),
    )
  }

  end(link: LiveLink): void {
    if (this.#links.has(link)) link.close({ code: 'drained' })
  }

  endAll(): void {
    for (const link of this.#links.keys()) this.end(link)
  }

  /** For who hears that a link closed. False: it was none of these. */
  forget(link: LiveLink): boolean {
    this.#links.get(link)?.()
    return this.#links.delete(link)
  }
}
