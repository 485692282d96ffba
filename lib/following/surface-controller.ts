/** Controls one surface among those that move together. While the person moves it, others do not: the latest of their targets waits. */
import type { Clock } from '../session/clock.ts'
import type { Surface, ScrollTarget } from './surface.ts'

/** How long input counts after the last key or turn of the wheel, in ms: within a movement events come every 16 to 50. */
const USER_INPUT_MS = 300

/** Like requestAnimationFrame; returns a function that cancels it. */
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

  /** Notes that the person moves the surface: a target that comes now waits. */
  onUserInput(): void {
    this.#lastInputAt = this.#clock.now()
  }

  cancelScroll(): void {
    this.#cancel()
    this.#pendingTarget = null
  }

  /** @param waitsForUser Waits until the person stops moving the surface. */
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
