/**
 * A browser reports a caret that a key or a click has moved only with the next frame. A redraw of the text before that would put the caret
 * back where the editor last read it, and the next letter would land there. So the editor reads the browser's state first: before remote
 * edits are applied, before highlights or other people's carets are redrawn, before each key press, and before a paste, a cut or a copy,
 * which a menu of the browser begins without a key.
 *
 * When the text gets the focus, a browser moves the caret to its beginning unless a pointer puts it elsewhere. No person made that move, so
 * the editor puts its own caret back at once.
 */
import { Extension } from '@tiptap/core'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import * as Y from 'yjs'
import { openTransactionsOf } from '@/lib/yjs-internals/transaction.ts'
import type { OpenDocument } from '@/lib/client.ts'

/** Members of ProseMirror's view that its public types leave out. */
interface ViewInternals {
  /** True once ProseMirror has handled the focus event. */
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
  // Runs before every handler that acts on the selection.
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
        props: {
          handleDOMEvents: {
            keydown: (view) => readOwnInput(view, doc),
            paste: (view) => readOwnInput(view, doc),
            cut: (view) => readOwnInput(view, doc),
            copy: (view) => readOwnInput(view, doc),
            focus: onFocus,
          },
        },
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

/** Takes over input that the browser has not reported yet, as a local edit and selection of the person. */
function readPendingInput(view: EditorView, doc: Y.Doc): void {
  // Within a Yjs transaction the input would become part of the remote edits and never be sent.
  if (view.isDestroyed || openTransactionsOf(doc).length > 0) return
  const { focused, domObserver } = internalsOf(view)
  // On focus a browser may put the caret at the beginning. Only after ProseMirror has handled the focus can it tell that caret from a
  // person's.
  if (!focused) return
  try {
    domObserver.forceFlush()
    domObserver.flush()
  } catch (error) {
    // Remote edits and the redraw continue without it.
    reportError(error)
  }
}

/** Before what the person does next. */
function readOwnInput(view: EditorView, doc: Y.Doc): void {
  readPendingInput(view, doc)
  // For 200 ms after the focus, ProseMirror attributes a caret at the very beginning to the browser and puts it back.
  internalsOf(view).input.lastFocus = 0
}

/**
 * Restores the caret at once. ProseMirror does so 20 ms later, and attributes a caret that it reads within 200 ms of the focus to the
 * browser. A busy page reads it later than that, and what is typed next would stand at the beginning.
 */
function onFocus(view: EditorView): void {
  if (internalsOf(view).input.mouseDown === null) view.focus()
}

const isRedraw = ({ docChanged, selectionSet, storedMarksSet }: Transaction): boolean =>
  !docChanged && !selectionSet && !storedMarksSet

/** Applies the same redraw to a later state. */
function copyRedraw(transaction: Transaction, target: Transaction): Transaction {
  const { meta } = transaction as unknown as { readonly meta: Readonly<Record<string, unknown>> }
  for (const [key, value] of Object.entries(meta)) target.setMeta(key, value)
  return transaction.scrolledIntoView ? target.scrollIntoView() : target
}

/**
 * A browser cancels a composition when its text node is rewritten as a whole, as ProseMirror does for any change in it; the composed text
 * then appears twice. From now on such a node replaces only what differs.
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
