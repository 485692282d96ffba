/** What measuring needs from its environment, so that two windows fit into one test process. */
import type { Clock } from '../session/clock.ts'

export interface MeasurementPlatform {
  readonly clock: Clock
  /** In ms since 1970, by the same clock in all windows of a browser. */
  now(): number
  /**
   * Runs with the time when the next frame is on screen, or with 'hidden' where the page is not drawn. Where the page is known to be
   * hidden, it runs at once.
   */
  afterPaint(run: (at: number | 'hidden') => void): void
  /** Starts to track input for `inputAt`. Returns a function that stops it. */
  watchInput(): () => void
  /** When the input began that is being handled, in ms since 1970; undefined where there is none. */
  inputAt(): number | undefined
  /** This page load, by its name in the register of windows. */
  readonly window: string
  /** Windows of the same browser share a clock. */
  readonly browser: string
  readonly device: string
  /** The window's name as the person reads it. */
  name(): string
}
