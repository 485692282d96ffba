/**
 * This window's caret as the others hear of it: only while the window has the keyboard (W6), and once for each place. It is anchored
 * to the letter behind it, which typing does not move: so a letter typed needs no word about the caret.
 */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

interface Cursor {
  readonly anchor: unknown
  readonly head: unknown
}

/** From what this window itself has told, or its editor tells. */
function placeOf(doc: Y.Doc, position: unknown): Y.AbsolutePosition | null {
  return Y.createAbsolutePositionFromRelativePosition(Y.createRelativePositionFromJSON(position), doc)
}

function isSamePlace(doc: Y.Doc, a: unknown, b: unknown): boolean {
  const [left, right] = [placeOf(doc, a), placeOf(doc, b)]
  return left !== null && left.type === right?.type && left.index === right.index
}

const isSameCaret = (doc: Y.Doc, a: Cursor, b: Cursor): boolean =>
  isSamePlace(doc, a.anchor, b.anchor) && isSamePlace(doc, a.head, b.head)

/** Short: where there is a letter, its type need not be named. As it is where it resolves to nothing. */
function anchoredBehind(doc: Y.Doc, position: unknown): unknown {
  const place = placeOf(doc, position)
  if (!place) return position
  const { item, type, tname } = Y.createRelativePositionFromTypeIndex(place.type, place.index, 0)
  return item ? { item } : type ? { type } : { tname }
}

/** Of two editors of one text in one window the one without the keyboard would take back what the other one says, at each key. */
const anotherEditorHasIt = (): boolean =>
  typeof document !== 'undefined' && document.activeElement?.classList.contains('text') === true

export class OwnCaret {
  /** For the editor's binding, which knows the focus inside a window but not that of the window. */
  readonly awareness: Awareness
  readonly #real: Awareness
  #away = false

  constructor(awareness: Awareness) {
    this.#real = awareness
    this.awareness = Object.create(awareness, {
      setLocalStateField: { value: (field: string, value: unknown) => this.#tell(field, value) },
    }) as Awareness
  }

  /** The window lost the keyboard: its caret goes, whatever the binding says from now on. */
  leave(): void {
    this.#away = true
    this.#tell('cursor', null)
  }

  comeBack(): void {
    this.#away = false
  }

  /** The binding repeats the caret at each change of somebody else: 330 bytes a key, to say what everybody knows. */
  #tell(field: string, value: unknown): void {
    if (field === 'cursor') return this.#tellCaret(this.#away ? null : (value as Cursor | null))
    // The editor knows nothing of the person.
    if (field === 'user') return
    const known = this.#real.getLocalState()?.[field] ?? null
    if (!isSame(value, known)) this.#real.setLocalStateField(field, value)
  }

  #tellCaret(caret: Cursor | null): void {
    if (caret === null && !this.#away && anotherEditorHasIt()) return
    const { doc } = this.#real
    const known = (this.#real.getLocalState()?.cursor ?? null) as Cursor | null
    if (caret === known || (caret && known && isSameCaret(doc, caret, known))) return
    this.#real.setLocalStateField(
      'cursor',
      caret && { anchor: anchoredBehind(doc, caret.anchor), head: anchoredBehind(doc, caret.head) },
    )
  }
}

export const ownCaretWatch = (caret: OwnCaret): Extension =>
  Extension.create({
    name: 'ownCaret',
    addProseMirrorPlugins() {
      return [new Plugin({ view: (view) => watchWindow(caret, () => view.dispatch(view.state.tr)) })]
    },
  })

/** @param tellAgain Makes the binding tell where the caret is. */
function watchWindow(caret: OwnCaret, tellAgain: () => void): { destroy(): void } {
  const stop = new AbortController()
  const comeBack = () => {
    caret.comeBack()
    tellAgain()
  }
  addEventListener('blur', () => caret.leave(), stop)
  addEventListener('focus', comeBack, stop)
  return { destroy: () => stop.abort() }
}
