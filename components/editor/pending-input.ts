/**
 * A browser tells of a caret that a key or a click has moved only with the next frame. Whatever redraws the text before that would put
 * the caret back where the editor last read it, and the next letter would land there. So the editor reads the browser first: before
 * others' edits are taken in, before a redraw of marks or of others' carets, and before each key.
 *
 * With the focus a browser moves the caret to the beginning of the text, if no pointer puts it elsewhere. That is nobody's move, so the
 * editor puts its own caret back at once.
 */
import { Extension } from '@tiptap/core'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'

/** ProseMirror's view has these beside its public types. */
interface ViewInternals {
  /** Set once it has handled the focus. */
  readonly focused: boolean
  readonly domObserver: { forceFlush(): void; flush(): void }
  /** `mouseDown` is null unless a button is pressed in the text. */
  readonly input: { lastFocus: number; readonly mouseDown: object | null }
}

const internalsOf = (view: EditorView): ViewInternals => view as unknown as ViewInternals

export interface PendingInputOptions {
  readonly doc: Y.Doc
  readonly beforeRemoteEdits: OpenDocument['beforeRemoteEdits']
}

interface PendingInputStorage {
  view: EditorView | null
}

export const PendingInput = Extension.create<PendingInputOptions, PendingInputStorage>({
  name: 'pendingInput',
  // It runs before every handler that acts on the selection.
  priority: 2_000,
  addOptions: () => ({ doc: new Y.Doc(), beforeRemoteEdits: () => () => {} }),
  addStorage: () => ({ view: null }),
  addProseMirrorPlugins() {
    const { storage } = this
    const { doc, beforeRemoteEdits } = this.options
    return [
      new Plugin({
        view(view) {
          storage.view = view
          return { destroy: beforeRemoteEdits(() => readBeforeRemoteEdits(view, doc)) }
        },
        props: { handleDOMEvents: { keydown: (view) => onKeyDown(view, doc), focus: onFocus } },
      }),
    ]
  },
  dispatchTransaction({ transaction, next }) {
    const { view } = this.storage
    if (!view || !isRedraw(transaction)) return next(transaction)
    const { state } = view
    readPendingInput(view, this.options.doc)
    next(view.state === state ? transaction : copyRedraw(transaction, view.state.tr))
  },
})

function readBeforeRemoteEdits(view: EditorView, doc: Y.Doc): void {
  readPendingInput(view, doc)
  if (view.composing) preserveComposition(view)
}

/** Writes down what the person did and the browser has not yet told of: a local edit and selection of their own. */
function readPendingInput(view: EditorView, doc: Y.Doc): void {
  // In the middle of a Yjs transaction it would become part of others' edits, and never be sent.
  if (view.isDestroyed || doc._transactionCleanups.length > 0) return
  const { focused, domObserver } = internalsOf(view)
  // With the focus a browser may put the caret at the beginning. ProseMirror tells that caret from a person's only after it has handled
  // the focus.
  if (!focused) return
  try {
    domObserver.forceFlush()
    domObserver.flush()
  } catch (error) {
    // Others' edits and the redraw go on without it.
    reportError(error)
  }
}

function onKeyDown(view: EditorView, doc: Y.Doc): void {
  readPendingInput(view, doc)
  // For 200 ms after the focus ProseMirror takes a caret at the very beginning for the browser's doing, and puts it back.
  internalsOf(view).input.lastFocus = 0
}

/**
 * ProseMirror restores the caret 20 ms later, and takes one that it reads within 200 ms of the focus for the browser's. A busy page reads
 * later than that, and what is typed next would stand at the beginning.
 */
function onFocus(view: EditorView): void {
  if (internalsOf(view).input.mouseDown === null) view.focus()
}

const isRedraw = ({ docChanged, selectionSet, storedMarksSet }: Transaction): boolean =>
  !docChanged && !selectionSet && !storedMarksSet

/** The same redraw on a later state. */
function copyRedraw(transaction: Transaction, target: Transaction): Transaction {
  const { meta } = transaction as unknown as { readonly meta: Readonly<Record<string, unknown>> }
  for (const [key, value] of Object.entries(meta)) target.setMeta(key, value)
  return transaction.scrolledIntoView ? target.scrollIntoView() : target
}

/**
 * A browser gives up a composition when its text node is written anew as a whole, which is how ProseMirror writes a change anywhere in
 * it; what was composed then comes twice. Such a node takes a change as the least replacement from now on.
 */
function preserveComposition({ root }: EditorView): void {
  const node = (root as Document).getSelection()?.focusNode
  if (!(node instanceof Text) || Object.hasOwn(node, 'nodeValue')) return
  Object.defineProperty(node, 'nodeValue', {
    configurable: true,
    get: () => node.data,
    set(text: string) {
      replaceDifference(node, text)
    },
  })
  node.ownerDocument.addEventListener('compositionend', () => Reflect.deleteProperty(node, 'nodeValue'), {
    once: true,
    capture: true,
  })
}

function replaceDifference(node: Text, text: string): void {
  const { data } = node
  const maxCommon = Math.min(data.length, text.length)
  let start = 0
  while (start < maxCommon && data[start] === text[start]) start++
  let end = 0
  while (end < maxCommon - start && data.at(-1 - end) === text.at(-1 - end)) end++
  node.replaceData(start, data.length - end - start, text.slice(start, text.length - end))
}
