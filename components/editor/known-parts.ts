/**
 * The binding deletes, for everybody, what its schema does not know. So a document with such parts is not bound at all: a newer page
 * wrote it, and this one is to be loaded again. Knows names of nodes and marks; does not know what they mean.
 */
import { Extension } from '@tiptap/core'
import * as Y from 'yjs'
import { bindingOf, dropChanges } from './binding'
import { isNew } from './is-new'

export interface Names {
  readonly nodes: Readonly<Record<string, unknown>>
  readonly marks: Readonly<Record<string, unknown>>
}

/** The name of a part that is not among `names`, null where all are known. */
export function unknownPart(parent: Y.XmlFragment, names: Names): string | null {
  return firstOf(parent.toArray(), (child) => unknownChild(child, names))
}

function unknownChild(child: unknown, names: Names): string | null {
  if (child instanceof Y.XmlText) return unknownMark(child, names)
  if (!(child instanceof Y.XmlElement)) return 'hook'
  return Object.hasOwn(names.nodes, child.nodeName) ? unknownPart(child, names) : child.nodeName
}

function unknownMark(text: Y.XmlText, { marks }: Names): string | null {
  for (let item = text._start; item; item = item.right) {
    const { content, deleted } = item
    if (deleted) continue
    if (content instanceof Y.ContentEmbed || content instanceof Y.ContentType) return 'embed'
    // The binding writes a mark that may overlap itself as `name--hash`.
    const name = content instanceof Y.ContentFormat ? content.key.replace(/--[\da-zA-Z+/=]{8}$/, '') : null
    if (name !== null && !Object.hasOwn(marks, name)) return name
  }
  return null
}

/** The same of what a transaction brought: what was there before is known, or was told of. */
function unknownNews(transaction: Y.Transaction, names: Names): string | null {
  const types: unknown[] = Array.from(transaction.changed.keys())
  return firstOf(types, (type) => {
    if (type instanceof Y.XmlText) return unknownMark(type, names)
    return type instanceof Y.XmlFragment ? unknownChildIn(type, transaction, names) : null
  })
}

function unknownChildIn(parent: Y.XmlFragment, transaction: Y.Transaction, names: Names): string | null {
  const children: unknown[] = parent.toArray()
  return firstOf(children, (child) => {
    const isPart = child instanceof Y.XmlElement || child instanceof Y.XmlText
    return isPart && !isNew(child, transaction) ? null : unknownChild(child, names)
  })
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

/** Hears of each unknown part that comes, before the binding does. Returns its undo. */
export function watchParts(doc: Y.Doc, names: Names, onUnknown: (name: string) => void): () => void {
  const look = (transaction: Y.Transaction): void => {
    if (transaction.local) return
    const name = unknownNews(transaction, names)
    if (name !== null) onUnknown(name)
  }
  doc.on('beforeObserverCalls', look)
  return () => doc.off('beforeObserverCalls', look)
}

/** Stops the binding before it sees an unknown part: it takes no change over and writes none any more. */
export const KnownParts = Extension.create<{ doc: Y.Doc }>({
  name: 'knownParts',
  addOptions: () => ({ doc: new Y.Doc() }),
  // Not onCreate, which comes a turn later.
  onBeforeCreate() {
    const { editor } = this
    const stop = watchParts(this.options.doc, editor.schema, () => {
      bindingOf(editor.state).mux = dropChanges
    })
    editor.on('destroy', stop)
  },
})
