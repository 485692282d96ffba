/**
 * Pastes a long slice in tasks of the page, so that the browser draws and answers keys between two of them. It is one step of undo, whatever is
 * written meanwhile. The pieces go where the first one ends, wherever that is by then; with it, or by an undo, the paste ends. Other windows
 * get and draw it in these pieces, too.
 */
import type { Fragment, Node, Slice } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { GROWS_UNDO_STEP, undoOf } from '../binding/shared-undo.ts'
import { toast } from '@/components/ui/toast.ts'
import type { StackItem } from '@/lib/undo/undo-step.ts'
import { strings } from '@/lib/strings/inserted-text.ts'
import { type DividedSlice, divideSlice, type LetterSeam } from './divide-slice.ts'
import { keepPosition, keptPosition } from './insertion-place.ts'

/** More take longer than a second or so. */
const QUICK_PIECES = 5
const TOAST = 'pasting'

/** @param replace Puts a slice in the place of what is selected. */
export function pasteSlice(
  view: EditorView,
  slice: Slice,
  replace: (state: EditorState, slice: Slice) => Transaction,
): void {
  if (!pasteLong(view, slice, replace)) view.dispatch(asPaste(replace(view.state, slice)).scrollIntoView())
}

/** @returns Whether the slice is a long one, and is being pasted. */
export function pasteLong(
  view: EditorView,
  slice: Slice,
  replace: (state: EditorState, slice: Slice) => Transaction,
): boolean {
  const divided = divideSlice(slice)
  const tr = divided && replace(view.state, divided.ends)
  const place = tr && placeOf(tr, divided)
  if (place === null) return false
  new LongPaste(view, divided!.pieces).start(tr!, place)
  return true
}

/** Addresses in it become links. */
const asPaste = (tr: Transaction): Transaction => tr.setMeta('paste', true).setMeta('uiEvent', 'paste')

/** Null where the ends did not fit in as they are, or the pieces would not. */
function placeOf({ doc, mapping }: Transaction, { seam, pieces }: DividedSlice): number | null {
  let place: number | null = null
  mapping.maps.at(-1)?.forEach((_oldFrom, _oldTo, from, to) =>
    doc.nodesBetween(from, to, (node, at) => {
      if ('block' in seam) place = node === seam.block ? at + node.nodeSize : place
      else if (node.isTextblock)
        place = placeInLetters(doc, Math.min(at + node.nodeSize - 1, to), seam) ?? place
    }),
  )
  if (place === null) return null
  const $place = doc.resolve(place)
  return pieces.every((piece) => $place.parent.canReplace($place.index(), $place.index(), piece))
    ? place
    : null
}

function placeInLetters(doc: Node, end: number, { before, after }: LetterSeam): number | null {
  const [start, place] = [end - before.length - after.length, end - after.length]
  return start >= 0 && doc.textBetween(start, end, '\n') === before + after ? place : null
}

class LongPaste {
  readonly #view: EditorView
  readonly #pieces: readonly Fragment[]
  #step: StackItem | undefined
  #next = 0
  #isStopped = false

  constructor(view: EditorView, pieces: readonly Fragment[]) {
    this.#view = view
    this.#pieces = pieces
  }

  start(first: Transaction, place: number): void {
    this.#view.dispatch(keepPosition(asPaste(first), this, place).scrollIntoView())
    this.#step = undoOf(this.#view.state)?.nextItem('undo')
    if (this.#pieces.length > QUICK_PIECES)
      toast(strings.pasted.pasting, {
        id: TOAST,
        duration: Infinity,
        action: { label: strings.pasted.stop, onClick: () => (this.#isStopped = true) },
      })
    this.#insertLater()
  }

  #insertLater(): void {
    setTimeout(() => {
      if (this.#view.isDestroyed) toast.dismiss(TOAST)
      else if (this.#insertNext() && this.#next < this.#pieces.length) this.#insertLater()
      else this.#end()
    })
  }

  /** False where the paste ends with it. */
  #insertNext(): boolean {
    const { state, editable } = this.#view
    const undo = undoOf(state)
    if (this.#isStopped || (undo && !undo.canGrow(this.#step))) return false
    const place = keptPosition(state, this)
    const insert = (): void => {
      const tr = state.tr.insert(place!, this.#pieces[this.#next]!)
      this.#view.dispatch(asPaste(tr).setMeta(GROWS_UNDO_STEP, true))
    }
    if (place !== null && editable) {
      if (undo) undo.growStep(this.#step!, insert)
      else insert()
    }
    const isInserted = this.#view.state.doc !== state.doc
    if (isInserted) this.#next += 1
    else toast(strings.pasted.incomplete, { id: 'pasted' })
    return isInserted
  }

  #end(): void {
    this.#view.dispatch(keepPosition(this.#view.state.tr, this, null))
    toast.dismiss(TOAST)
  }
}
