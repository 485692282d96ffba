/**
 * Gives every new empty block its text node, in the transaction that makes it. The binding makes one only with the first letter:
 * two people who begin there at the same moment would make one each, and when it then writes the two as one, letters come twice.
 */
import { Extension } from '@tiptap/core'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { isNewInTransaction } from './is-new-in-transaction'

type IsTextBlock = (nodeName: string) => boolean

export const EmptyBlockText = Extension.create<{ doc: Y.Doc }>({
  name: 'oneText',
  addOptions: () => ({ doc: new Y.Doc() }),
  onCreate() {
    const { schema } = this.editor
    const stop = addMissingTextNodes(this.options.doc, (name) => schema.nodes[name]?.isTextblock ?? false)
    this.editor.on('destroy', stop)
  },
})

/** Watches what the binding writes into `doc`. Returns its undo. */
export function addMissingTextNodes(doc: Y.Doc, isTextBlock: IsTextBlock): () => void {
  const onBeforeObservers = (transaction: Y.Transaction): void => {
    if (transaction.origin !== ySyncPluginKey) return
    // Gathered first: what is written here counts as changed, too.
    const changedTypes: unknown[] = Array.from(transaction.changed.keys())
    for (const type of changedTypes)
      if (type instanceof Y.XmlFragment) addTextNodesWithin(type, transaction, isTextBlock)
  }
  // Still within the transaction: what is written here is part of the same update, and of the same undo.
  doc.on('beforeObserverCalls', onBeforeObservers)
  return () => doc.off('beforeObserverCalls', onBeforeObservers)
}

function addTextNodesWithin(
  parent: Y.XmlFragment,
  transaction: Y.Transaction,
  isTextBlock: IsTextBlock,
): void {
  for (const child of parent.toArray()) {
    if (!(child instanceof Y.XmlElement) || !isNewInTransaction(child, transaction)) continue
    if (child.length > 0) addTextNodesWithin(child, transaction, isTextBlock)
    else if (isTextBlock(child.nodeName)) child.insert(0, [new Y.XmlText()])
  }
}
