/**
 * Binds an editor to a shared text. What the editor shows is a total and pure function of the shared text; what is written into the text is
 * the person's own steps and nothing else.
 *
 *   steps of the person ──▶ writeSteps ──▶ Yjs ──▶ TextReader ──▶ drawChanges ──▶ the editor
 *   edits of others, undo ────────────────▶ ─┘
 *
 * After every change, whoever made it, the text is read again where it changed, and drawn where that differs from the screen. A long text
 * that opens is drawn in slices, from its beginning on: until the last one, the editor's document is the first blocks of the text. Knows Yjs
 * and ProseMirror; does not know Tiptap, undo or carets.
 */
import type { Node, Schema } from '@tiptap/pm/model'
import {
  type EditorState,
  Plugin,
  PluginKey,
  type Selection,
  Selection as AnySelection,
  TextSelection,
  type Transaction,
} from '@tiptap/pm/state'
import type { StepMap } from '@tiptap/pm/transform'
import * as Y from 'yjs'
import { openTransactionsOf } from '@/lib/yjs-internals/transaction.ts'
import { adoptNodes, drawChanges, drawCorrections } from './draw-changes.ts'
import { keptStretchesOf } from './kept-stretches.ts'
import { absolutePositionOf, sharedPlaceOf } from './positions.ts'
import { TextReader } from './read-text.ts'
import type { Reading } from './reading.ts'
import { writeSteps } from './write-steps.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

/** How many blocks are drawn in one task of the page when a text opens: at first, and then each time. */
const FIRST_SLICE = 500
const NEXT_SLICE = 1_000

/** What the binding needs of an editor's view. */
export interface BoundView {
  readonly state: EditorState
  readonly editable: boolean
  dispatch(transaction: Transaction): void
}

/** A selection in relative positions, which no edit shifts. Null for an end that is in no letters. */
export interface SharedSelection {
  readonly anchor: Y.RelativePosition | null
  readonly head: Y.RelativePosition | null
}

/** Steps that are not written yet. */
interface PendingSteps {
  /** The document before the first of them. */
  readonly base: Node
  readonly selection: Selection
  readonly maps: readonly StepMap[]
  readonly isUndoable: boolean
}

interface DrawnMeta {
  readonly isDrawn: true
}

const bindingKey = new PluginKey<PendingSteps>('textBinding')

/** Whether the transaction draws what is in the shared text, and is no edit made here. */
export const isDrawn = (transaction: Transaction): boolean =>
  (transaction.getMeta(bindingKey) as DrawnMeta | undefined)?.isDrawn === true

const bindings = new WeakMap<Plugin, TextBinding>()

export function textBindingOf(state: EditorState): TextBinding | undefined {
  const plugin = bindingKey.get(state)
  return plugin && bindings.get(plugin)
}

export class TextBinding {
  readonly text: Y.XmlFragment
  readonly plugin: Plugin<PendingSteps>
  readonly #reader: TextReader
  readonly #written = new WeakSet<PendingSteps>()
  #view: BoundView | null = null
  #reading: Reading | null = null
  #isWriting = false
  /** How many children of the text, the last ones, are not drawn yet. */
  #waiting = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The selection before the Yjs transaction that is under way. */
  #selection: SharedSelection | null = null

  constructor(text: Y.XmlFragment, schema: Schema) {
    this.text = text
    this.#reader = new TextReader(schema)
    this.plugin = this.#createPlugin()
    bindings.set(this.plugin, this)
  }

  /** What the editor shows, beside its document. Null before the first drawing. */
  get reading(): Reading | null {
    return this.#reading
  }

  /** How many children of the text the editor shows, from the first on. */
  get shownLength(): number {
    return Math.max(this.text.length - this.#waiting, 0)
  }

  /** The selection before the Yjs transaction that is under way. An undo of it finds it in its stack item, under this binding. */
  get selectionBefore(): SharedSelection | null {
    return this.#selection
  }

  /** Returns a function that detaches it. */
  attach(view: BoundView): () => void {
    const { doc } = this.text
    this.#view = view
    doc?.on('beforeAllTransactions', this.#keepSelection)
    doc?.on('beforeObserverCalls', this.#forgetChanged)
    this.text.observeDeep(this.#onTextChanged)
    this.#settle()
    return () => {
      doc?.off('beforeAllTransactions', this.#keepSelection)
      doc?.off('beforeObserverCalls', this.#forgetChanged)
      this.text.unobserveDeep(this.#onTextChanged)
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#view = null
    }
  }

  /** Writes the steps that the editor has taken. */
  flush(): void {
    const view = this.#view
    const pending = view && bindingKey.getState(view.state)
    if (!view || !pending || pending.maps.length === 0 || this.#written.has(pending)) return
    this.#written.add(pending)
    const reading = this.#currentReading(pending.base)
    // Steps on something else than what the shared text holds have no place in it: the text is drawn instead.
    if (reading) this.#write(reading, pending, view.state.doc)
    this.#settle()
  }

  /** Draws the shared text, whatever is on screen. */
  redraw(): void {
    this.#reading = null
    this.#settle()
  }

  /** Draws at once what is left of a long text. */
  drawRest(): void {
    if (this.#waiting > 0) this.#drawSlice(Infinity)
  }

  selectionOf({ anchor, head }: Selection, reading = this.#reading): SharedSelection | null {
    if (!reading) return null
    const within = (at: number): Y.RelativePosition | null => {
      const { type, index } = sharedPlaceOf(reading, at)
      return (type as unknown) instanceof Y.Text
        ? Y.createRelativePositionFromTypeIndex(type, index, -1)
        : null
    }
    return { anchor: within(anchor), head: within(head) }
  }

  // Reading and drawing

  /** Runs before the first change: afterwards the reading no longer says where a letter is. */
  readonly #keepSelection = (): void => {
    const view = this.#view
    if (view && !this.#isWriting) this.#selection = this.selectionOf(view.state.selection)
  }

  readonly #forgetChanged = ({ changed }: Y.Transaction): void => {
    for (const type of changed.keys()) this.#reader.forget(type)
  }

  readonly #onTextChanged = (_events: unknown, { origin }: Y.Transaction): void => {
    if (this.#isWriting) return
    const undone = origin instanceof Y.UndoManager ? origin.currStackItem?.meta.get(this) : undefined
    this.#settle(undone as SharedSelection | undefined)
  }

  /**
   * Makes the editor show what the shared text holds.
   *
   * @param selection To bring back; without one the caret stays between the letters where it is.
   */
  #settle(selection = this.#selection): void {
    const view = this.#view
    if (!view) return
    if (this.#waiting === 0 && this.#showsNothing(view))
      this.#waiting = Math.max(this.text.length - FIRST_SLICE, 0)
    if (this.#waiting > 0) this.#timer ??= setTimeout(() => this.#drawSlice(NEXT_SLICE))
    const before = this.#reading
    const reading = this.#reader.read(this.text, this.shownLength)
    this.#reading = reading
    if (adoptNodes(reading, view.state.doc)) return
    const { tr, doc, selection: shown } = view.state
    if (before && before.node !== doc) drawCorrections(tr, reading)
    else drawChanges(tr, before, reading)
    // A caret that nobody has moved stays at the beginning, whatever arrives there first.
    if (shown.eq(AnySelection.atStart(doc)) && !selection?.anchor)
      tr.setSelection(AnySelection.atStart(tr.doc))
    else restoreSelection(tr, reading, selection)
    if (selection !== this.#selection) tr.scrollIntoView()
    tr.setMeta(bindingKey, { isDrawn: true } satisfies DrawnMeta).setMeta('addToHistory', false)
    try {
      view.dispatch(tr)
    } finally {
      // Until it is drawn, no step can be written.
      if (!adoptNodes(reading, view.state.doc)) this.#reading = null
    }
  }

  /** Neither of the text, nor of steps that have just been written. */
  #showsNothing({ state }: BoundView): boolean {
    const [shown, ...others] = this.#reading?.children ?? []
    return state.doc.childCount <= 1 && others.length === 0 && (shown?.width ?? 0) <= 1
  }

  /** The browser draws between two of them, and a person's keys are answered. */
  #drawSlice(size: number): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const view = this.#view
    if (!view) return
    this.#waiting = Math.max(this.#waiting - size, 0)
    // The editor reads the caret that a key or a click has moved before it draws.
    view.dispatch(view.state.tr)
    this.#selection = this.selectionOf(view.state.selection)
    this.#settle()
  }

  // Writing

  #write(reading: Reading, { base, maps, selection, isUndoable }: PendingSteps, after: Node): void {
    const { doc } = this.text
    const kept = keptStretchesOf(base.content.size, maps)
    this.#selection = this.selectionOf(selection, reading)
    this.#isWriting = true
    try {
      doc!.transact((transaction) => {
        if (!isUndoable) transaction.meta.set('addToHistory', false)
        writeSteps(reading, after, kept)
      }, this)
    } finally {
      this.#isWriting = false
      openTransactionsOf(doc!).forEach(this.#forgetChanged)
    }
  }

  /** What the shared text holds now, if the editor shows that; null if others changed it within the transaction that is under way. */
  #currentReading(shown: Node): Reading | null {
    const open = openTransactionsOf(this.text.doc!)
    if (open.length === 0) return this.#reading?.node === shown ? this.#reading : null
    open.forEach(this.#forgetChanged)
    const reading = this.#reader.read(this.text, this.shownLength)
    return adoptNodes(reading, shown) ? reading : null
  }

  #createPlugin(): Plugin<PendingSteps> {
    const begin = (base: Node, selection: Selection): PendingSteps => ({
      base,
      selection,
      maps: [],
      isUndoable: true,
    })
    return new Plugin<PendingSteps>({
      key: bindingKey,
      filterTransaction: (transaction) =>
        !transaction.docChanged || isDrawn(transaction) || this.#isAllowed(transaction),
      state: {
        init: (_config, { doc, selection }) => begin(doc, selection),
        apply: (transaction, value, { doc, selection }) => {
          if (isDrawn(transaction)) return begin(transaction.doc, transaction.selection)
          const isSettled = value.maps.length === 0 || this.#written.has(value)
          if (!transaction.docChanged)
            return isSettled && value.maps.length > 0 ? begin(doc, selection) : value
          const before = isSettled ? begin(doc, selection) : value
          return {
            ...before,
            maps: [...before.maps, ...transaction.mapping.maps],
            isUndoable: transaction.getMeta('addToHistory') !== false,
          }
        },
      },
      props: {
        attributes: (): Record<string, string> =>
          this.#waiting > 0 ? { 'aria-busy': 'true', 'data-rest': editorStrings.text.drawingRest } : {},
        handleKeyDown: (_view, { key, ctrlKey, metaKey }) => {
          // Whoever selects all wants the whole text.
          if ((ctrlKey || metaKey) && key.toLowerCase() === 'a') this.drawRest()
          return false
        },
      },
      view: (view) => {
        const detach = this.attach(view)
        return { update: () => this.flush(), destroy: detach }
      },
    })
  }

  /** A window that may not write shows no edit of its own, and nothing is written because something was drawn. */
  #isAllowed(transaction: Transaction): boolean {
    const root = transaction.getMeta('appendedTransaction') as Transaction | undefined
    return (this.#view?.editable ?? true) && !(root && isDrawn(root))
  }
}

function restoreSelection(transaction: Transaction, reading: Reading, shared: SharedSelection | null): void {
  if (!shared) return
  const { selection, doc } = transaction
  const positionOf = (position: Y.RelativePosition | null, mapped: number): number =>
    (position && absolutePositionOf(reading, position)) ?? mapped
  const [anchor, head] = [
    positionOf(shared.anchor, selection.anchor),
    positionOf(shared.head, selection.head),
  ]
  if (anchor === selection.anchor && head === selection.head) return
  transaction.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head)))
}
