/** Links that another relieved and that say their last (S4): each for five seconds at most. */
import type { Clock } from './clock.ts'
import type { FramedLink } from './framed-link.ts'

const DRAIN_MS = 5_000

export class DrainingLinks {
  readonly #clock: Clock
  readonly #links = new Map<FramedLink, () => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(link: FramedLink): void {
    this.#links.set(
      link,
      this.#clock.after(DRAIN_MS, () => this.close(link)),
    )
  }

  close(link: FramedLink): void {
    if (this.#links.has(link)) link.close({ code: 'drained' })
  }

  closeAll(): void {
    for (const link of this.#links.keys()) this.close(link)
  }

  /** For who hears that a link closed. False: it was none of these. */
  remove(link: FramedLink): boolean {
    this.#links.get(link)?.()
    return this.#links.delete(link)
  }
}
