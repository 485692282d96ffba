/**
 * Whether the window that leads still answers. What is unanswered for a while (patience.ts) is followed by a question, which
 * its hub answers by itself; as long again, and it is silent: frozen, hung, or gone.
 *
 *   quiet ──sent──▶ waiting ──1 s──▶ asked ──1 s──▶ silent        any ──heard──▶ quiet
 */
interface WatchHandlers {
  patienceMs(): number
  ask(): void
  onSilent(): void
}

export class Watch {
  readonly #handlers: WatchHandlers
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(handlers: WatchHandlers) {
    this.#handlers = handlers
  }

  /** Something that is usually answered. */
  sent(): void {
    this.#timer ??= setTimeout(() => this.ask(), this.#handlers.patienceMs())
  }

  ask(): void {
    this.#handlers.ask()
    this.asked()
  }

  /** Something that a hub answers by itself. */
  asked(): void {
    this.heard()
    const patienceMs = this.#handlers.patienceMs()
    const lateAt = performance.now() + 1.5 * patienceMs
    this.#timer = setTimeout(() => this.#judge(lateAt), patienceMs)
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** A timer that comes late was asleep or kept waiting, as the answer may have been: ask again. */
  #judge(lateAt: number): void {
    this.heard()
    if (performance.now() > lateAt) this.ask()
    else this.#handlers.onSilent()
  }
}
