/**
 * A deadline that is moved far more often than it is reached, with nearly every key. Its timer stays as it is where the deadline moves on,
 * and is armed anew when it fires too early.
 */
import type { Clock } from './clock.ts'

export class Deadline {
  readonly #clock: Pick<Clock, 'now' | 'after'>
  readonly #run: () => void
  #dueAt: number | null = null
  /** Infinity while no timer is armed. */
  #firesAt = Infinity
  #cancelTimer = (): void => {}

  constructor(clock: Pick<Clock, 'now' | 'after'>, run: () => void) {
    this.#clock = clock
    this.#run = run
  }

  /** Replaces the former deadline. @param ms From now. */
  set(ms: number): void {
    this.#dueAt = this.#clock.now() + ms
    if (this.#firesAt > this.#dueAt) this.#arm(ms)
  }

  /** Leaves the timer alone. */
  clear(): void {
    this.#dueAt = null
  }

  stop(): void {
    this.clear()
    this.#cancelTimer()
    this.#firesAt = Infinity
  }

  #arm(ms: number): void {
    this.#cancelTimer()
    this.#firesAt = this.#clock.now() + ms
    this.#cancelTimer = this.#clock.after(ms, () => this.#onTimer())
  }

  #onTimer(): void {
    this.#firesAt = Infinity
    if (this.#dueAt === null) return
    const left = this.#dueAt - this.#clock.now()
    if (left > 0) return this.#arm(left)
    this.#dueAt = null
    this.#run()
  }
}
