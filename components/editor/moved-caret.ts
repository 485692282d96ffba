/**
 * A browser tells of a caret that a key has moved only with the next frame. What is drawn anew before that, for others' letters, their
 * carets, or a comment, would put it back where the editor last heard of it: so the editor is told first.
 */
import { Extension } from '@tiptap/core'
import { Plugin, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'

interface Moving {
  /** By a key that the browser has told nothing of yet. Where the focus puts a caret is ProseMirror's to judge. */
  mayHaveMoved: boolean
}

export const MovedCaret = Extension.create<{ doc: Y.Doc }, Moving>({
  name: 'movedCaret',
  // Before the binding, which remembers the caret before it writes what others wrote.
  priority: 1_100,
  addOptions: () => ({ doc: new Y.Doc() }),
  addStorage: () => ({ mayHaveMoved: false }),
  addProseMirrorPlugins() {
    const { storage } = this
    return [
      new Plugin({
        view: (view) => watch(view, this.options.doc, storage),
        props: {
          handleDOMEvents: {
            keydown: () => void (storage.mayHaveMoved = true),
            blur: () => void (storage.mayHaveMoved = false),
          },
        },
      }),
    ]
  },
  dispatchTransaction({ transaction, next }) {
    if (!transaction.docChanged && !transaction.selectionSet)
      takeAlong(this.editor.view, this.storage, transaction)
    next(transaction)
  },
})

function watch(view: EditorView, doc: Y.Doc, moving: Moving): { destroy(): void } {
  const stop = new AbortController()
  const told = ({ isTrusted }: Event): void => {
    if (isTrusted) moving.mayHaveMoved = false
  }
  view.dom.ownerDocument.addEventListener('selectionchange', told, stop)
  const before = (): void => {
    if (doc._transaction?.origin !== ySyncPluginKey) hear(view, moving)
  }
  doc.on('beforeAllTransactions', before)
  return {
    destroy() {
      stop.abort()
      doc.off('beforeAllTransactions', before)
    },
  }
}

/** The transaction was begun with the caret at its former place. */
function takeAlong(view: EditorView, moving: Moving, transaction: Transaction): void {
  const { selection } = view.state
  hear(view, moving)
  if (!view.state.selection.eq(selection)) transaction.setSelection(view.state.selection)
}

/** ProseMirror reads the browser's selection when this event comes, whoever sends it. */
function hear(view: EditorView, { mayHaveMoved }: Moving): void {
  if (mayHaveMoved && !view.composing) view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}
