/** The editor as a surface: what stands at its top, and how to get to a spot. Moves neither caret nor focus. */
import {
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from '@tiptap/y-tiptap'
import type { Editor } from '@tiptap/react'
import * as Y from 'yjs'
import { fromBase64 } from '@/lib/protocol/base64.ts'
import { encodePosition, placeOf, startOf, type Spot } from '@/lib/following/spot.ts'
import type { Look, Surface, Target } from '@/lib/following/surface.ts'
import { pointBelow } from './geometry'
import { mark } from './marked'
import { type Scroller, sightOf } from './scroller'

interface Binding {
  readonly type: Y.XmlFragment
  readonly mapping: Map<unknown, unknown>
}

export class EditorSurface implements Surface {
  readonly #editor: Editor
  readonly #fragment: Y.XmlFragment
  readonly #scroller: Scroller
  /** What is looked at: where it scrolled to, the caret, or where it went. */
  #focus: 'top' | 'caret' | Spot = 'top'
  readonly #mark = mark()

  constructor(editor: Editor, fragment: Y.XmlFragment, scroller: Scroller) {
    this.#editor = editor
    this.#fragment = fragment
    this.#scroller = scroller
  }

  look(): Look | null {
    const top = this.#top()
    if (!top) return null
    const { focus: caret = top, selection } = this.lookAtCaret() ?? {}
    const focus = this.#focus === 'top' ? top : this.#focus === 'caret' ? caret : this.#focus
    return { top, focus, ...(selection && { selection }) }
  }

  lookAtCaret(): Omit<Look, 'top'> | null {
    const { from, to, empty } = this.#editor.state.selection
    const caret = this.#spotAt(from)
    const end = empty ? null : this.#spotAt(to)
    return caret && { focus: caret, ...(end && { selection: { at: caret.at, to: end.at } }) }
  }

  scrolled(): void {
    this.#focus = 'top'
  }

  selected(): void {
    this.#focus = 'caret'
  }

  show(target: Target): boolean {
    const at = this.#positionOf(target.top.at)
    if (at === null) return false
    this.#focus = target.top
    if (at === 0) this.#scroller.toStart()
    else this.#scroller.bring(this.#editor.view.coordsAtPos(at, 1), target)
    return true
  }

  mark(selection: Spot | null): void {
    const from = selection?.to === undefined ? null : this.#positionOf(selection.at)
    const to = selection?.to === undefined ? null : this.#positionOf(selection.to)
    const { view } = this.#editor
    if (from === null || to === null || from >= to) return this.#mark(null, null)
    const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)]
    this.#mark(start, end)
  }

  /**
   * Remembers what must not move while others edit: the caret's line where it is seen, else the one at the top. A browser keeps the
   * block at the top where it is, and not what is within it.
   * @returns Puts it back where it was. Null at the beginning of the text, which stays in sight, and under a hand that moves it.
   */
  hold(): (() => void) | null {
    const at = this.#scroller.isMoving ? null : this.#heldAt()
    const before = at?.()
    if (!at || before === undefined) return null
    return () => {
      const moved = (at() ?? before) - before
      if (Math.abs(moved) >= 1) this.#scroller.shift(moved)
    }
  }

  #heldAt(): (() => number | undefined) | null {
    const heightAt = (at: number) => this.#editor.view.coordsAtPos(at, 1).top
    if (this.#isCaretSeen()) return () => heightAt(this.#editor.state.selection.head)
    const spot = this.#scroller.isAtStart ? null : this.#top()
    if (!spot) return null
    return () => {
      const at = this.#positionOf(spot.at)
      return at === null ? undefined : heightAt(at)
    }
  }

  #isCaretSeen(): boolean {
    const { view, state } = this.#editor
    if (!view.hasFocus()) return false
    const caret = view.coordsAtPos(state.selection.head, 1)
    const { top, bottom } = sightOf(this.#scroller.element)
    return caret.bottom > top && caret.top < bottom
  }

  /** The title stands above the text: the very beginning is a place of its own. */
  #top(): Spot | null {
    if (this.#scroller.isAtStart) return startOf(this.#fragment)
    const { view } = this.#editor
    const point = pointBelow(view.dom, sightOf(this.#scroller.element).top)
    return point && this.#spotAt(view.posAtDOM(point.node, point.offset, 1))
  }

  get #binding(): Binding | null {
    const state = ySyncPluginKey.getState(this.#editor.state) as { binding?: Binding } | undefined
    return state?.binding ?? null
  }

  #spotAt(at: number): Spot | null {
    const binding = this.#binding
    if (!binding) return null
    const position = absolutePositionToRelativePosition(at, binding.type, binding.mapping as never)
    return { at: encodePosition(position as Y.RelativePosition) }
  }

  /** 0 is the beginning of all. Null for what is not in this text. */
  #positionOf(position: string): number | null {
    const binding = this.#binding
    const place = placeOf(this.#fragment, position)
    if (!binding || !place) return null
    if (place.type === this.#fragment && place.index === 0) return 0
    const relative = Y.decodeRelativePosition(fromBase64(position))
    const { type, mapping } = binding
    const at = relativePositionToAbsolutePosition(type.doc!, type, relative, mapping as never)
    return at === null ? null : Math.min(at, this.#editor.state.doc.content.size)
  }
}
