/**
 * Gives every new empty block its text node, in the transaction that makes it. The binding makes one only with the first letter:
 * two people who begin there at the same moment would make one each, and when it then writes the two as one, letters come twice.
 */
import { Extension } from '@tiptap/core'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { isNew } from './is-new'

type HoldsText = (nodeName: string) => boolean

export const OneText = Extension.create<{ doc: Y.Doc }>({
  name: 'oneText',
  addOptions: () => ({ doc: new Y.Doc() }),
  onCreate() {
    const { schema } = this.editor
    const stop = giveText(this.options.doc, (name) => schema.nodes[name]?.isTextblock ?? false)
    this.editor.on('destroy', stop)
  },
})

/** Watches what the binding writes into `doc`. Returns its undo. */
export function giveText(doc: Y.Doc, holdsText: HoldsText): () => void {
  const complete = (transaction: Y.Transaction): void => {
    if (transaction.origin !== ySyncPluginKey) return
    // Gathered first: what is written here counts as changed, too.
    const written: unknown[] = Array.from(transaction.changed.keys())
    for (const type of written)
      if (type instanceof Y.XmlFragment) completeWithin(type, transaction, holdsText)
  }
  // Still within the transaction: what is written here is part of the same update, and of the same undo.
  doc.on('beforeObserverCalls', complete)
  return () => doc.off('beforeObserverCalls', complete)
}

function completeWithin(parent: Y.XmlFragment, transaction: Y.Transaction, holdsText: HoldsText): void {
  for (const child of parent.toArray()) {
    if (!(child instanceof Y.XmlElement) || !isNew(child, transaction)) continue
    if (child.length > 0) completeWithin(child, transaction, holdsText)
    else if (holdsText(child.nodeName)) child.insert(0, [new Y.XmlText()])
  }
}
