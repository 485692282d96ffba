/**
 * Broadcasts this window's caret: only while the window has the focus (W6), and once for each position. The caret is anchored to the letter
 * after it, which typing does not move, so a typed letter needs no message about the caret.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { sharedPlaceOf } from './positions.ts'
import { textBindingOf } from './text-binding.ts'

interface PublishedCaret {
  readonly anchor: unknown
  readonly head: unknown
}

/** A place in the shared text, as the binding reports it. */
export type CaretPlace = ReturnType<typeof sharedPlaceOf>

interface CaretPlaces {
  readonly anchor: CaretPlace
  readonly head: CaretPlace
}

/** Resolves a position that this window has published. */
function placeOf(doc: Y.Doc, position: unknown): Y.AbsolutePosition | null {
  return Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(position), doc)
}

function isPublishedAt(doc: Y.Doc, published: unknown, { type, index }: CaretPlace): boolean {
  const place = placeOf(doc, published)
  return place !== null && place.type === type && place.index === index
}

/** Anchored to the letter after it. This is short, since with a letter its type need not be named. */
function relativePositionAt({ type: at, index }: CaretPlace): object {
  const { item, type, tname } = Y.createRelativePositionFromTypeIndex(at, index, 0)
  return item ? { item } : type ? { type } : { tname }
}

/**
 * Whether another editor in this window has the focus. Otherwise, of two editors of one text in one window, the one without the focus would
 * clear the other's caret at each key press.
 */
const isOtherEditorFocused = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.classList.contains('text') === true

export class OwnCaret {
  readonly #awareness: Awareness
  #isWindowBlurred = false

  constructor(awareness: Awareness) {
    this.#awareness = awareness
  }

  /** The window lost the focus: removes its caret, and ignores what the editor reports until the focus is back. */
  onWindowBlur(): void {
    this.#isWindowBlurred = true
    this.publish(null)
  }

  onWindowFocus(): void {
    this.#isWindowBlurred = false
  }

  /**
   * Drops repeated values: the editor repeats the caret at each change, which would cost 330 bytes per key press and say nothing new.
   *
   * @param places Null where the editor has no focus.
   */
  publish(places: CaretPlaces | null): void {
    const caret = this.#isWindowBlurred ? null : places
    if (caret === null && !this.#isWindowBlurred && isOtherEditorFocused()) return
    const { doc } = this.#awareness
    const published = (this.#awareness.getLocalState()?.cursor ?? null) as PublishedCaret | null
    if (caret === null ? published === null : published !== null && this.#isSame(doc, published, caret))
      return
    this.#awareness.setLocalStateField(
      'cursor',
      caret && { anchor: relativePositionAt(caret.anchor), head: relativePositionAt(caret.head) },
    )
  }

  #isSame(doc: Y.Doc, published: PublishedCaret, { anchor, head }: CaretPlaces): boolean {
    return isPublishedAt(doc, published.anchor, anchor) && isPublishedAt(doc, published.head, head)
  }
}

export const ownCaretOf = (caret: OwnCaret): Extension =>
  Extension.create({
    name: 'ownCaret',
    addProseMirrorPlugins() {
      return [new Plugin({ view: (view) => publishCaret(view, caret) })]
    },
  })

function publishCaret(view: EditorView, caret: OwnCaret): { update(): void; destroy(): void } {
  const stop = new AbortController()
  const publish = (): void => {
    const reading = textBindingOf(view.state)?.reading
    if (!reading || !view.hasFocus()) return caret.publish(null)
    const { anchor, head } = view.state.selection
    caret.publish({ anchor: sharedPlaceOf(reading, anchor), head: sharedPlaceOf(reading, head) })
  }
  const onFocus = (): void => {
    caret.onWindowFocus()
    publish()
  }
  view.dom.addEventListener('focusin', publish, stop)
  view.dom.addEventListener('focusout', publish, stop)
  addEventListener('blur', () => caret.onWindowBlur(), stop)
  addEventListener('focus', onFocus, stop)
  return {
    update: publish,
    destroy() {
      stop.abort()
      caret.publish(null)
    },
  }
}
