/**
 * Whether the window that leads still answers. What is unanswered for a second is followed by a question, which its hub
 * answers by itself; a second more, and it is silent: frozen, hung, or gone.
 *
 *   quiet ──sent──▶ waiting ──1 s──▶ asked ──1 s──▶ silent        any ──heard──▶ quiet
 */
const PATIENCE_MS = 1_000

interface WatchHandlers {
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
    this.#timer ??= setTimeout(() => this.ask(), PATIENCE_MS)
  }

  ask(): void {
    this.#handlers.ask()
    this.asked()
  }

  /** Something that a hub answers by itself. */
  asked(): void {
    this.heard()
    const due = performance.now() + PATIENCE_MS
    this.#timer = setTimeout(() => this.#judge(due), PATIENCE_MS)
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** A timer that comes late was asleep, as the answer may have been: ask again. */
  #judge(due: number): void {
    this.heard()
    if (performance.now() - due > PATIENCE_MS) this.ask()
    else this.#handlers.onSilent()
  }
}
