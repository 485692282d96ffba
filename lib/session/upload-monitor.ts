/**
 * Notices that sent messages bring no acknowledgement (S5): behind a proxy that collects an upload before it passes it on, a
 * link lives and receives, but nothing that it sends arrives. It knows what is owed and since when; it does not know links.
 */
import type { Clock } from './clock.ts'
import { Deadline } from './deadline.ts'

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
  readonly #deadline: Deadline
  #isOwed = false
  #dueAt = 0

  constructor(options: UploadMonitorOptions) {
    this.#options = options
    this.#deadline = new Deadline(options.clock, () => this.#onDue())
  }

  onSent(): void {
    if (!this.#isOwed) this.#await()
  }

  /** @param all Every message is acknowledged. */
  onAcknowledged(all: boolean): void {
    this.#isOwed = false
    this.#deadline.clear()
    if (!all) this.#await()
  }

  stop(): void {
    this.#isOwed = false
    this.#deadline.stop()
  }

  #await(): void {
    const answerMs = this.#options.answerMs()
    this.#isOwed = true
    this.#dueAt = this.#options.clock.now() + answerMs
    this.#deadline.set(answerMs)
  }

  #onDue(): void {
    const lateMs = this.#options.clock.now() - this.#dueAt
    this.#await()
    if (lateMs <= LATE_MS) this.#options.onOverdue()
  }
}
