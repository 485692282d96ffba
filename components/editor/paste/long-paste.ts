/**
 * Pastes a long slice in tasks of the page, so that the browser draws and answers keys between two of them. It is one step of undo, whatever is
 * written meanwhile. The pieces go where the first one ends, wherever that is by then; with it, or by an undo, the paste ends. Other windows
 * get and draw it in these pieces, too.
 */
import type { Fragment, Node, NodeType, Slice } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { GROWS_UNDO_STEP, undoOf } from '@/components/binding/shared-undo.ts'
import { toast } from '@/components/ui/toast.ts'
import { runInNextTask } from '@/lib/next-task.ts'
import type { StackItem } from '@/lib/undo/undo-step.ts'
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'
import { type DividedSlice, divideSlice, type LetterSeam } from './divide-slice.ts'
import { keepPosition, keptPosition } from './insertion-place.ts'

/** A paste of more pieces takes longer than a second or so, and is shown to be under way. */
const QUICK_PIECES = 5

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
  new LongPaste(view, divided!.pieces, tr!.doc.resolve(place).parent.type).start(tr!, place)
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

let pastes = 0

class LongPaste {
  readonly #view: EditorView
  readonly #pieces: readonly Fragment[]
  readonly #toast = `pasting-${++pastes}`
  /** Their content, as the pieces were made for it. */
  readonly #parent: NodeType
  #step: StackItem | undefined
  #next = 0
  #isStopped = false

  constructor(view: EditorView, pieces: readonly Fragment[], parent: NodeType) {
    this.#view = view
    this.#pieces = pieces
    this.#parent = parent
  }

  start(first: Transaction, place: number): void {
    this.#view.dispatch(keepPosition(asPaste(first), this, place).scrollIntoView())
    this.#step = undoOf(this.#view.state)?.nextItem('undo')
    if (this.#pieces.length > QUICK_PIECES)
      toast(insertedTextStrings.pasted.pasting, {
        id: this.#toast,
        duration: Infinity,
        action: { label: insertedTextStrings.pasted.stop, onClick: () => (this.#isStopped = true) },
      })
    // Before others ask whether something is unsaved.
    globalThis.addEventListener?.('beforeunload', this.#insertAll, { capture: true })
    this.#insertLater()
  }

  #insertLater(): void {
    runInNextTask(() => {
      if (!this.#isOver && this.#insertNext()) this.#insertLater()
    })
  }

  /** Whoever leaves the page does not leave the rest behind. */
  readonly #insertAll = (): void => {
    while (!this.#isOver && this.#insertNext());
  }

  get #isOver(): boolean {
    return this.#next === this.#pieces.length || this.#isStopped
  }

  /** Returns false where the paste ends with it. */
  #insertNext(): boolean {
    let isInserted = false
    try {
      const obstacle = this.#obstacle()
      if (obstacle === null) isInserted = this.#insert()
      else toast(obstacle, { id: 'pasted' })
    } finally {
      if (isInserted) this.#next += 1
      else this.#isStopped = true
      if (this.#isOver) this.#end()
    }
    return !this.#isOver
  }

  /** Why the rest is not pasted; null where it can be. */
  #obstacle(): string | null {
    const { isDestroyed, editable, state } = this.#view
    if (isDestroyed || !editable) return insertedTextStrings.pasted.closed
    if (this.#step && !undoOf(state)?.growingItem(this.#step)) return insertedTextStrings.pasted.undone
    const place = keptPosition(state, this)
    return place === null || state.doc.resolve(place).parent.type !== this.#parent
      ? insertedTextStrings.pasted.incomplete
      : null
  }

  #insert(): boolean {
    const { state } = this.#view
    const undo = undoOf(state)
    const step = this.#step && undo?.growingItem(this.#step)
    const insert = (): void => {
      const tr = state.tr.insert(keptPosition(state, this)!, this.#pieces[this.#next]!)
      this.#view.dispatch(asPaste(tr).setMeta(GROWS_UNDO_STEP, true))
    }
    if (undo && step) undo.growStep(step, insert)
    else insert()
    return this.#view.state.doc !== state.doc
  }

  #end(): void {
    globalThis.removeEventListener?.('beforeunload', this.#insertAll, { capture: true })
    toast.dismiss(this.#toast)
    if (!this.#view.isDestroyed) this.#view.dispatch(keepPosition(this.#view.state.tr, this, null))
  }
}
