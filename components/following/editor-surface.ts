/** The editor as a surface: finds what is at its top, and scrolls to a position. Moves neither caret nor focus. */
import {
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from '@tiptap/y-tiptap'
import type { Editor } from '@tiptap/react'
import * as Y from 'yjs'
import { fromBase64 } from '@/lib/protocol/base64.ts'
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

interface Binding {
  readonly type: Y.XmlFragment
  readonly mapping: Map<unknown, unknown>
}

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

  scrollTo(target: ScrollTarget): boolean {
    const at = this.#editorPositionOf(target.top.at)
    if (at === null) return false
    this.#focus = target.top
    if (at === 0) this.#scroller.scrollToStart()
    else this.#scroller.scrollIntoView(this.#editor.view.coordsAtPos(at, 1), target)
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

  get #binding(): Binding | null {
    const state = ySyncPluginKey.getState(this.#editor.state) as { binding?: Binding } | undefined
    return state?.binding ?? null
  }

  #textPositionAt(at: number): TextPosition | null {
    const binding = this.#binding
    if (!binding) return null
    const position = absolutePositionToRelativePosition(at, binding.type, binding.mapping as never)
    return { at: encodePosition(position as Y.RelativePosition) }
  }

  /** 0 is the very beginning. Null for a position that is not in this text. */
  #editorPositionOf(position: string): number | null {
    const binding = this.#binding
    const yjsPosition = resolvePosition(this.#fragment, position)
    if (!binding || !yjsPosition) return null
    if (yjsPosition.type === this.#fragment && yjsPosition.index === 0) return 0
    const { type, mapping } = binding
    const isInText = yjsPosition.type instanceof Y.XmlText
    // The binding answers null for a letter at the very beginning of the text, but not for the text node that it is in.
    const relative = isInText
      ? Y.createRelativePositionFromTypeIndex(yjsPosition.type, 0, -1)
      : Y.decodeRelativePosition(fromBase64(position))
    const found = relativePositionToAbsolutePosition(type.doc!, type, relative, mapping as never)
    if (found === null) return null
    return Math.min(isInText ? found + yjsPosition.index : found, this.#editor.state.doc.content.size)
  }
}
