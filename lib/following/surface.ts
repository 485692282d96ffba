/** What shows the text in a window: the editor, or a view to read. A window may have several, or none. */
import type { TextPosition } from './text-position.ts'
import type { WindowView } from './view.ts'

export interface SurfaceView {
  /** What stands at the top of what is seen. */
  readonly top: TextPosition
  /** What is looked at: the top, where one just went, or the caret. Its section is the current one. */
  readonly focus: TextPosition
  /** More than a caret. */
  readonly selection?: TextPosition
}

export interface Surface {
  /** Null while there is nothing to see. */
  readView(): SurfaceView | null
  /** What of that follows from the caret. Asked for after each key, so nothing is read off the screen for it. */
  readCaret?(): Omit<SurfaceView, 'top'> | null
  /** Moves the text, at once, and neither caret nor focus. False where the spot is not, or no longer, in this text. */
  scrollTo(target: ScrollTarget): boolean
  /** Shows what is selected in another window; null: nothing is. */
  markSelection?(selection: TextPosition | null): void
}

export type ScrollTarget = Pick<WindowView, 'top' | 'within'>

/** How a surface tells what the person does with it. Nothing that a program does is told. */
export interface SurfaceHandle {
  /** A key, the wheel, a finger: the person's own hand is on it. */
  onUserInput(): void
  onScroll(): void
  /** The caret, or what is selected. */
  onSelect(): void
  /** Its lines are broken anew: what was looked at stands elsewhere. */
  onResize(): void
  remove(): void
}
