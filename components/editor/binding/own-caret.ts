/**
 * Broadcasts this window's caret: only while the window has the focus (W6), and once for each position. The caret is anchored to the letter
 * after it, which typing does not move, so a typed letter needs no message about the caret.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'

const isJsonEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

interface CaretPosition {
  readonly anchor: unknown
  readonly head: unknown
}

/** Resolves a position that this window has published or that its editor reports. */
function absolutePositionOf(doc: Y.Doc, position: unknown): Y.AbsolutePosition | null {
  return Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(position), doc)
}

function isSamePosition(doc: Y.Doc, a: unknown, b: unknown): boolean {
  const [left, right] = [absolutePositionOf(doc, a), absolutePositionOf(doc, b)]
  return left !== null && left.type === right?.type && left.index === right.index
}

const isSameCaret = (doc: Y.Doc, a: CaretPosition, b: CaretPosition): boolean =>
  isSamePosition(doc, a.anchor, b.anchor) && isSamePosition(doc, a.head, b.head)

/**
 * Anchors the caret to the letter after it. This is short, since with a letter its type need not be named. A position that resolves to
 * nothing stays as it is.
 */
function anchorToNextLetter(doc: Y.Doc, position: unknown): unknown {
  const absolutePosition = absolutePositionOf(doc, position)
  if (!absolutePosition) return position
  const { item, type, tname } = Y.createRelativePositionFromTypeIndex(
    absolutePosition.type,
    absolutePosition.index,
    0,
  )
  return item ? { item } : type ? { type } : { tname }
}

/**
 * Whether another editor in this window has the focus. Otherwise, of two editors of one text in one window, the one without the focus would
 * clear the other's caret at each key press.
 */
const isOtherEditorFocused = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.classList.contains('text') === true

export class OwnCaret {
  /** The awareness for the editor's binding, which knows the focus within a window but not the focus of the window. */
  readonly awareness: Awareness
  readonly #sharedAwareness: Awareness
  #isWindowBlurred = false

  constructor(awareness: Awareness) {
    this.#sharedAwareness = awareness
    this.awareness = Object.create(awareness, {
      setLocalStateField: { value: (field: string, value: unknown) => this.#setField(field, value) },
    }) as Awareness
  }

  /** The window lost the focus: removes its caret, and ignores what the binding reports until the focus is back. */
  onWindowBlur(): void {
    this.#isWindowBlurred = true
    this.#setField('cursor', null)
  }

  onWindowFocus(): void {
    this.#isWindowBlurred = false
  }

  /**
   * Drops repeated values: the binding repeats the caret at each remote change, which would cost 330 bytes per key press and say nothing
   * new.
   */
  #setField(field: string, value: unknown): void {
    if (field === 'cursor')
      return this.#broadcastCaret(this.#isWindowBlurred ? null : (value as CaretPosition | null))
    // The editor does not know the person.
    if (field === 'user') return
    const published = this.#sharedAwareness.getLocalState()?.[field] ?? null
    if (!isJsonEqual(value, published)) this.#sharedAwareness.setLocalStateField(field, value)
  }

  #broadcastCaret(caret: CaretPosition | null): void {
    if (caret === null && !this.#isWindowBlurred && isOtherEditorFocused()) return
    const { doc } = this.#sharedAwareness
    const published = (this.#sharedAwareness.getLocalState()?.cursor ?? null) as CaretPosition | null
    if (caret === published || (caret && published && isSameCaret(doc, caret, published))) return
    this.#sharedAwareness.setLocalStateField(
      'cursor',
      caret && { anchor: anchorToNextLetter(doc, caret.anchor), head: anchorToNextLetter(doc, caret.head) },
    )
  }
}

export const ownCaretFocus = (caret: OwnCaret): Extension =>
  Extension.create({
    name: 'ownCaret',
    addProseMirrorPlugins() {
      return [new Plugin({ view: (view) => watchWindowFocus(caret, () => view.dispatch(view.state.tr)) })]
    },
  })

/** @param rebroadcast Makes the binding report the caret again. */
function watchWindowFocus(caret: OwnCaret, rebroadcast: () => void): { destroy(): void } {
  const stop = new AbortController()
  const onFocus = () => {
    caret.onWindowFocus()
    rebroadcast()
  }
  addEventListener('blur', () => caret.onWindowBlur(), stop)
  addEventListener('focus', onFocus, stop)
  return { destroy: () => stop.abort() }
}
