/** What shows the text in a window: the editor, or a view to read. A window may have several, or none. */
import type { Spot } from './spot.ts'
import type { View } from './view.ts'

export interface Look {
  /** What stands at the top of what is seen. */
  readonly top: Spot
  /** What is looked at: the top, where one just went, or the caret. Its section is the current one. */
  readonly focus: Spot
  /** More than a caret. */
  readonly selection?: Spot
}

export interface Surface {
  /** Null while there is nothing to see. */
  look(): Look | null
  /** What of that follows from the caret. Asked for after each key, so nothing is read off the screen for it. */
  lookAtCaret?(): Omit<Look, 'top'> | null
  /** Moves the text, at once, and neither caret nor focus. False where the spot is not, or no longer, in this text. */
  show(target: Target): boolean
  /** Shows what is selected in another window; null: nothing is. */
  mark?(selection: Spot | null): void
}

export type Target = Pick<View, 'top' | 'within'>

/** How a surface tells what the person does with it. Nothing that a program does is told. */
export interface SurfaceHandle {
  /** A key, the wheel, a finger: the person's own hand is on it. */
  touched(): void
  scrolled(): void
  /** The caret, or what is selected. */
  selected(): void
  /** Its lines are broken anew: what was looked at stands elsewhere. */
  resized(): void
  remove(): void
}
