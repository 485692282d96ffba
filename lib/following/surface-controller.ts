/** One surface among those that move together. While a hand is on it, others do not move it: what they say last waits. */
import type { Clock } from '../session/clock.ts'
import type { Surface, ScrollTarget } from './surface.ts'

/** After the last own key or turn of the wheel, in ms: within a movement they come every 16 to 50. */
const USER_INPUT_MS = 300

/** As requestAnimationFrame; returns its undo. */
export type RequestFrame = (run: () => void) => () => void

export class SurfaceController {
  readonly surface: Surface
  readonly #clock: Clock
  readonly #requestFrame: RequestFrame
  #lastInputAt = -Infinity
  #pendingTarget: ScrollTarget | null = null
  #cancel = () => {}

  constructor(surface: Surface, clock: Clock, requestFrame: RequestFrame) {
    this.surface = surface
    this.#clock = clock
    this.#requestFrame = requestFrame
  }

  /** The person moves it: what waited is over, unless it comes again. */
  onUserInput(): void {
    this.#lastInputAt = this.#clock.now()
  }

  cancelScroll(): void {
    this.#cancel()
    this.#pendingTarget = null
  }

  /** @param waitsForUser Waits for the hand to be gone. */
  scrollTo(target: ScrollTarget, waitsForUser: boolean): void {
    this.#cancel()
    this.#pendingTarget = target
    const wait = this.#lastInputAt + USER_INPUT_MS - this.#clock.now()
    this.#cancel =
      waitsForUser && wait > 0
        ? this.#clock.after(wait, () => this.scrollTo(target, true))
        : this.#requestFrame(() => this.#scrollNow())
  }

  #scrollNow(): void {
    const target = this.#pendingTarget
    this.#pendingTarget = null
    if (target) this.surface.scrollTo(target)
  }
}
