/** One surface among those that move together. While a hand is on it, others do not move it: what they say last waits. */
import type { Clock } from '../session/clock.ts'
import type { Surface, Target } from './surface.ts'

/** After the last own key or turn of the wheel, in ms: within a movement they come every 16 to 50. */
const HAND_MS = 300

/** As requestAnimationFrame; returns its undo. */
export type Frames = (run: () => void) => () => void

export class Seat {
  readonly surface: Surface
  readonly #clock: Clock
  readonly #frames: Frames
  #touchedAt = -Infinity
  #next: Target | null = null
  #cancel = () => {}

  constructor(surface: Surface, clock: Clock, frames: Frames) {
    this.surface = surface
    this.#clock = clock
    this.#frames = frames
  }

  /** The person moves it: what waited is over, unless it comes again. */
  touched(): void {
    this.#touchedAt = this.#clock.now()
  }

  drop(): void {
    this.#cancel()
    this.#next = null
  }

  /** @param patient Waits for the hand to be gone. */
  show(target: Target, patient: boolean): void {
    this.#cancel()
    this.#next = target
    const wait = this.#touchedAt + HAND_MS - this.#clock.now()
    this.#cancel =
      patient && wait > 0
        ? this.#clock.after(wait, () => this.show(target, true))
        : this.#frames(() => this.#move())
  }

  #move(): void {
    const target = this.#next
    this.#next = null
    if (target) this.surface.show(target)
  }
}
