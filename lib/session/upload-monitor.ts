/**
 * Notices that sent messages bring no acknowledgement (S5): behind a proxy that collects an upload before it passes it on, a
 * link lives and receives, but nothing that it sends arrives. It knows what is owed and since when; it does not know links.
 */
import type { Clock } from './clock.ts'

/** A timer that fires later than this slept with the machine or the window, so it proves nothing (S7). */
const LATE_MS = 1_000

export interface UploadMonitorOptions {
  readonly clock: Clock
  /** How long an acknowledgement may take at the moment. */
  answerMs(): number
  /** Called again after each further `answerMs`, until something is acknowledged. */
  onOverdue(): void
}

export class UploadMonitor {
  readonly #options: UploadMonitorOptions
  #cancel: (() => void) | null = null

  constructor(options: UploadMonitorOptions) {
    this.#options = options
  }

  onSent(): void {
    if (!this.#cancel) this.#arm()
  }

  /** @param all Every message is acknowledged. */
  onAcknowledged(all: boolean): void {
    this.stop()
    if (!all) this.#arm()
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #arm(): void {
    const { clock } = this.#options
    const answerMs = this.#options.answerMs()
    const dueAt = clock.now() + answerMs
    this.#cancel = clock.after(answerMs, () => {
      this.#arm()
      if (clock.now() - dueAt <= LATE_MS) this.#options.onOverdue()
    })
  }
}
