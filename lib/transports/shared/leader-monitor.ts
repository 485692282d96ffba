/**
 * Checks that the leader still answers. A message without an answer for a while (frozen-leader-detection.ts) is followed by a
 * ping, which a leader answers by itself. After as long again the leader counts as silent: frozen, hung, or gone.
 *
 *   quiet ──sent──▶ waiting ──1 s──▶ pinged ──1 s──▶ silent        any ──received──▶ quiet
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

  /** A message was sent that is usually answered. */
  onSent(): void {
    this.#timer ??= setTimeout(() => this.ping(), this.#handlers.answerTimeoutMs())
  }

  ping(): void {
    this.#handlers.sendPing()
    this.onPing()
  }

  /** A message was sent that a leader answers by itself. */
  onPing(): void {
    this.onReceived()
    const timeoutMs = this.#handlers.answerTimeoutMs()
    const lateAt = performance.now() + 1.5 * timeoutMs
    this.#timer = setTimeout(() => this.#onTimeout(lateAt), timeoutMs)
  }

  onReceived(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** A timer that fires late was asleep or delayed, and so may the answer be: pings again. */
  #onTimeout(lateAt: number): void {
    this.onReceived()
    if (performance.now() > lateAt) this.ping()
    else this.#handlers.onSilent()
  }
}
