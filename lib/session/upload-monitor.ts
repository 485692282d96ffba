/**
 * Notices that what is said brings no acknowledgement (S5): behind a proxy that collects an upload before it passes it on, a
 * link lives and hears, and nothing it says arrives. Knows what is owed and since when; does not know links.
 */
import type { Clock } from './clock.ts'

/** A timer that fires later than that slept along with the machine or the window: it proves nothing (S7). */
const LATE_MS = 1_000

export interface UploadMonitorOptions {
  readonly clock: Clock
  /** How long an acknowledgement may take just now. */
  answerMs(): number
  /** Told again each time as much has passed, until something is acknowledged. */
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

  /** @param all Nothing is owed any more. */
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
