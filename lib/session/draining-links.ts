/** Links that another link replaced and that send their last frames (S4), each for five seconds at most. */
import type { Clock } from './clock.ts'
import type { FramedLink } from './framed-link.ts'

const DRAIN_MS = 5_000

export class DrainingLinks {
  readonly #clock: Clock
  readonly #links = new Map<FramedLink, { readonly cancel: () => void; readonly isSuspect: boolean }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(link: FramedLink, isSuspect: boolean): void {
    const cancel = this.#clock.after(DRAIN_MS, () => this.close(link))
    this.#links.set(link, { cancel, isSuspect })
  }

  /** Whether its upload brought no acknowledgement. */
  isSuspect(link: FramedLink): boolean {
    return this.#links.get(link)?.isSuspect ?? false
  }

  close(link: FramedLink): void {
    if (this.#links.has(link)) link.close({ code: 'drained' })
  }

  closeAll(): void {
    for (const link of this.#links.keys()) this.close(link)
  }

  /** Called when a link closed. Returns false if it was not draining. */
  remove(link: FramedLink): boolean {
    this.#links.get(link)?.cancel()
    return this.#links.delete(link)
  }
}
