/**
 * Gives every new empty block its text node, in the transaction that creates the block. The binding creates one only with the first letter:
 * two people who begin there at the same moment would create one each, and when the binding later writes the two as one, letters appear
 * twice.
 */
import { Extension } from '@tiptap/core'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { isNewInTransaction } from '@/lib/yjs-internals/shared-type.ts'

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

/** Watches what the binding writes into `doc`. Returns a function that stops it. */
export function addMissingTextNodes(doc: Y.Doc, isTextBlock: IsTextBlock): () => void {
  const onBeforeObservers = (transaction: Y.Transaction): void => {
    if (transaction.origin !== ySyncPluginKey) return
    // The types are collected first, because what is written here counts as changed, too.
    const changedTypes: unknown[] = Array.from(transaction.changed.keys())
    for (const type of changedTypes)
      if (type instanceof Y.XmlFragment) addTextNodesWithin(type, transaction, isTextBlock)
  }
  // This is still within the transaction: what is written here belongs to the same update and the same undo step.
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
