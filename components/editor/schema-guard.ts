/**
 * The binding deletes, for everybody, what its schema does not know. So a document with unknown nodes or marks is not bound at all: a newer
 * page wrote it, and this page must be reloaded. Knows names of nodes and marks; does not know what they mean.
 */
import { Extension } from '@tiptap/core'
import * as Y from 'yjs'
import { yTiptapBindingOf, ignoreChanges } from './y-tiptap-binding.ts'
import { firstItemOf, isNewInTransaction } from '@/lib/yjs-internals/shared-type.ts'

export interface SchemaNames {
  readonly nodes: Readonly<Record<string, unknown>>
  readonly marks: Readonly<Record<string, unknown>>
}

/** The name of a node or mark that is not in `names`; null if all are known. */
export function unknownSchemaName(parent: Y.XmlFragment, names: SchemaNames): string | null {
  return firstFound(parent.toArray(), (child) => unknownNameOfChild(child, names))
}

function unknownNameOfChild(child: unknown, names: SchemaNames): string | null {
  if (child instanceof Y.XmlText) return unknownMarkName(child, names)
  if (!(child instanceof Y.XmlElement)) return 'hook'
  return Object.hasOwn(names.nodes, child.nodeName) ? unknownSchemaName(child, names) : child.nodeName
}

function unknownMarkName(text: Y.XmlText, { marks }: SchemaNames): string | null {
  for (let item = firstItemOf(text); item; item = item.right) {
    const { content, deleted } = item
    if (deleted) continue
    if (content instanceof Y.ContentEmbed || content instanceof Y.ContentType) return 'embed'
    // The binding writes a mark that may overlap itself as `name--hash`.
    const name = content instanceof Y.ContentFormat ? content.key.replace(/--[\da-zA-Z+/=]{8}$/, '') : null
    if (name !== null && !Object.hasOwn(marks, name)) return name
  }
  return null
}

/** Checks only what a transaction added: what was there before is known or was reported. */
function unknownNameInTransaction(transaction: Y.Transaction, names: SchemaNames): string | null {
  const types: unknown[] = Array.from(transaction.changed.keys())
  return firstFound(types, (type) => {
    if (type instanceof Y.XmlText) return unknownMarkName(type, names)
    return type instanceof Y.XmlFragment ? unknownNameInNewChildren(type, transaction, names) : null
  })
}

function unknownNameInNewChildren(
  parent: Y.XmlFragment,
  transaction: Y.Transaction,
  names: SchemaNames,
): string | null {
  const children: unknown[] = parent.toArray()
  return firstFound(children, (child) => {
    const isXmlNode = child instanceof Y.XmlElement || child instanceof Y.XmlText
    return isXmlNode && !isNewInTransaction(child, transaction) ? null : unknownNameOfChild(child, names)
  })
}

function firstFound<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

/** Reports each unknown node or mark that arrives, before the binding sees it. Returns a function that stops it. */
export function watchUnknownNames(
  doc: Y.Doc,
  names: SchemaNames,
  onUnknown: (name: string) => void,
): () => void {
  const checkTransaction = (transaction: Y.Transaction): void => {
    if (transaction.local) return
    const name = unknownNameInTransaction(transaction, names)
    if (name !== null) onUnknown(name)
  }
  doc.on('beforeObserverCalls', checkTransaction)
  return () => doc.off('beforeObserverCalls', checkTransaction)
}

/** Stops the binding before it sees an unknown node or mark: it then takes over no change and writes none. */
export const SchemaGuard = Extension.create<{ doc: Y.Doc }>({
  name: 'knownParts',
  addOptions: () => ({ doc: new Y.Doc() }),
  // Not onCreate, which runs a turn later.
  onBeforeCreate() {
    const { editor } = this
    const stop = watchUnknownNames(this.options.doc, editor.schema, () => {
      yTiptapBindingOf(editor.state).mux = ignoreChanges
    })
    editor.on('destroy', stop)
  },
})
