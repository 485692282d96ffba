/**
 * Whether the window that leads still answers. What is unanswered for a while (patience.ts) is followed by a question, which
 * its hub answers by itself; as long again, and it is silent: frozen, hung, or gone.
 *
 *   quiet ──sent──▶ waiting ──1 s──▶ asked ──1 s──▶ silent        any ──heard──▶ quiet
 */
interface LeaderMonitorHandlers {
  answerTimeoutMs(): number
  sendPing(): void
  onSilent(): void
}

export class LeaderMonitor {
  readonly #handlers: LeaderMonitorHandlers
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(handlers: LeaderMonitorHandlers) {
    this.#handlers = handlers
  }

  /** Something that is usually answered. */
  onSent(): void {
    this.#timer ??= setTimeout(() => this.ping(), this.#handlers.answerTimeoutMs())
  }

  ping(): void {
    this.#handlers.sendPing()
    this.onPing()
  }

  /** Something that a hub answers by itself. */
  onPing(): void {
    this.onReceived()
    const patienceMs = this.#handlers.answerTimeoutMs()
    const lateAt = performance.now() + 1.5 * patienceMs
    this.#timer = setTimeout(() => this.#onTimeout(lateAt), patienceMs)
  }

  onReceived(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** A timer that comes late was asleep or kept waiting, as the answer may have been: ask again. */
  #onTimeout(lateAt: number): void {
    this.onReceived()
    if (performance.now() > lateAt) this.ping()
    else this.#handlers.onSilent()
  }
}
