/** The editor as a surface: finds what is at its top, and scrolls to a position. Moves neither caret nor focus. */
import type { Editor } from '@tiptap/react'
import type * as Y from 'yjs'
import { openTogglesAround } from './open-toggles-around.ts'
import { positionOfPlace, relativePositionOf } from '@/components/binding/positions.ts'
import type { Reading } from '@/components/binding/reading.ts'
import { textBindingOf } from '@/components/binding/text-binding.ts'
import {
  encodePosition,
  resolvePosition,
  startPositionOf,
  type TextPosition,
} from '@/lib/following/text-position.ts'
import type { SurfaceView, Surface, ScrollTarget } from '@/lib/following/surface.ts'
import { pointBelow } from './text-geometry.ts'
import { createSelectionHighlight } from './selection-highlight.ts'
import { type TextScroller, visibleRangeOf } from './text-scroller.ts'

export class EditorSurface implements Surface {
  readonly #editor: Editor
  readonly #fragment: Y.XmlFragment
  readonly #scroller: TextScroller
  /** What the person looks at: the top after scrolling, the caret, or the position it went to. */
  #focus: 'top' | 'caret' | TextPosition = 'top'
  readonly #highlightSelection = createSelectionHighlight()

  constructor(editor: Editor, fragment: Y.XmlFragment, scroller: TextScroller) {
    this.#editor = editor
    this.#fragment = fragment
    this.#scroller = scroller
  }

  readView(): SurfaceView | null {
    const top = this.#topPosition()
    if (!top) return null
    const { focus: caret = top, selection } = this.readCaret() ?? {}
    const focus = this.#focus === 'top' ? top : this.#focus === 'caret' ? caret : this.#focus
    return { top, focus, ...(selection && { selection }) }
  }

  readCaret(): Omit<SurfaceView, 'top'> | null {
    const { from, to, empty } = this.#editor.state.selection
    const caret = this.#textPositionAt(from)
    const end = empty ? null : this.#textPositionAt(to)
    return caret && { focus: caret, ...(end && { selection: { at: caret.at, to: end.at } }) }
  }

  onScroll(): void {
    this.#focus = 'top'
  }

  onSelect(): void {
    this.#focus = 'caret'
  }

  get isAtCaret(): boolean {
    return this.#focus === 'caret'
  }

  scrollTo(target: ScrollTarget): boolean {
    // Of a long text, the end may not be drawn yet.
    if (this.#editorPositionOf(target.top.at) === null) textBindingOf(this.#editor.state)?.drawRest()
    const at = this.#editorPositionOf(target.top.at)
    if (at === null) return false
    this.#focus = target.top
    if (at === 0) this.#scroller.scrollToStart()
    else {
      const { view } = this.#editor
      openTogglesAround(view.domAtPos(at, 1).node)
      this.#scroller.scrollIntoView(view.coordsAtPos(at, 1), target)
    }
    return true
  }

  markSelection(selection: TextPosition | null): void {
    const from = selection?.to === undefined ? null : this.#editorPositionOf(selection.at)
    const to = selection?.to === undefined ? null : this.#editorPositionOf(selection.to)
    const { view } = this.#editor
    if (from === null || to === null || from >= to) return this.#highlightSelection(null, null)
    const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)]
    this.#highlightSelection(start, end)
  }

  /**
   * Remembers what must not move during remote edits: the caret's line if it is visible, else the line at the top. A browser keeps the
   * block at the top in place, but not its content.
   * @returns A function that puts it back where it was. Null at the beginning of the text, which stays in view, and while the person scrolls.
   */
  captureScrollAnchor(): (() => void) | null {
    const anchorTop = this.#scroller.isUserScrolling ? null : this.#anchorTopReader()
    const topBefore = anchorTop?.()
    if (!anchorTop || topBefore === undefined) return null
    return () => {
      const delta = (anchorTop() ?? topBefore) - topBefore
      if (Math.abs(delta) >= 1) this.#scroller.scrollBy(delta)
    }
  }

  #anchorTopReader(): (() => number | undefined) | null {
    const topAt = (at: number) => this.#editor.view.coordsAtPos(at, 1).top
    if (this.#isCaretVisible()) return () => topAt(this.#editor.state.selection.head)
    const topPosition = this.#scroller.isAtStart ? null : this.#topPosition()
    if (!topPosition) return null
    return () => {
      const at = this.#editorPositionOf(topPosition.at)
      return at === null ? undefined : topAt(at)
    }
  }

  #isCaretVisible(): boolean {
    const { view, state } = this.#editor
    if (!view.hasFocus()) return false
    const caret = view.coordsAtPos(state.selection.head, 1)
    const { top, bottom } = visibleRangeOf(this.#scroller.element)
    return caret.bottom > top && caret.top < bottom
  }

  /** The title is above the text, so the very beginning is a position of its own. */
  #topPosition(): TextPosition | null {
    if (this.#scroller.isAtStart) return startPositionOf(this.#fragment)
    const { view } = this.#editor
    const point = pointBelow(view.dom, visibleRangeOf(this.#scroller.element).top)
    return point && this.#textPositionAt(view.posAtDOM(point.node, point.offset, 1))
  }

  get #reading(): Reading | null {
    return textBindingOf(this.#editor.state)?.reading ?? null
  }

  #textPositionAt(at: number): TextPosition | null {
    const reading = this.#reading
    return reading && { at: encodePosition(relativePositionOf(reading, at)) }
  }

  /** 0 is the very beginning. Null for a position that is not in this text. */
  #editorPositionOf(position: string): number | null {
    const [reading, place] = [this.#reading, resolvePosition(this.#fragment, position)]
    return reading && place && positionOfPlace(reading, place)
  }
}
