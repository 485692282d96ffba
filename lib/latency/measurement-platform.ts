/** What the measuring needs of its surroundings, so that two windows fit one test process. */
import type { Clock } from '../session/clock.ts'

export interface MeasurementPlatform {
  readonly clock: Clock
  /** ms since 1970: the same clock in all windows of a browser. */
  now(): number
  /** Runs when the next frame is on screen, with the time; with 'hidden' where the page is not drawn: at once where it says so. */
  afterPaint(run: (at: number | 'hidden') => void): void
  /** From now on `inputAt` knows. Returns the undo. */
  watchInput(): () => void
  /** When the input began that is being handled, ms since 1970; undefined where none is. */
  inputAt(): number | undefined
  /** This page load, as the register of windows names it. */
  readonly window: string
  /** Whose windows share a clock. */
  readonly browser: string
  readonly device: string
  /** As the person reads it. */
  name(): string
}
