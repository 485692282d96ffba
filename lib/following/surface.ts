/** A surface shows the text in a window: the editor, or a reading view. A window may have several, or none. */
import type { TextPosition } from './text-position.ts'
import type { WindowView } from './view.ts'

export interface SurfaceView {
  /** The position at the top of the visible text. */
  readonly top: TextPosition
  /** What the person looks at: the top, the target of the last jump, or the caret. Its section is the current one. */
  readonly focus: TextPosition
  /** More than a caret. */
  readonly selection?: TextPosition
}

export interface Surface {
  /** Returns null while there is nothing to see. */
  readView(): SurfaceView | null
  /** Returns what follows from the caret alone. It is called after each key, so nothing is read off the screen for it. */
  readCaret?(): Omit<SurfaceView, 'top'> | null
  /** Moves the text at once, but neither caret nor focus. Returns false where the position is not, or no longer, in this text. */
  scrollTo(target: ScrollTarget): boolean
  /** Shows what is selected in another window; null for nothing. */
  markSelection?(selection: TextPosition | null): void
}

export type ScrollTarget = Pick<WindowView, 'top' | 'within'>

/** A surface reports through it what the person does. What a program does is not reported. */
export interface SurfaceHandle {
  /** A key, the wheel, a finger: the person moves the surface. */
  onUserInput(): void
  onScroll(): void
  /** The caret or the selection changed. */
  onSelect(): void
  /** Its lines were broken anew: what was looked at stands elsewhere. */
  onResize(): void
  remove(): void
}
