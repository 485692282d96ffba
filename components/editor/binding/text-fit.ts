/**
 * Watches whether the text of a document fits the schema. The binding deletes, for everybody, what does not: a part that a newer page or
 * another program wrote. Such a text is read and not bound, until somebody has taken that part out. Knows the schema; does not know the
 * editor.
 */
import type { Schema } from '@tiptap/pm/model'
import { ySyncPluginKey } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import { runLater } from '@/lib/run-later.ts'
import { Subscribable } from '@/lib/subscribable.ts'
import { isNewInTransaction, itemOf } from '@/lib/yjs-internals/shared-type.ts'
import { textSchema } from '../schema-extensions.ts'
import { fitsSchema, TextReader } from './text-reader.ts'

/** Another object after each change, so that a text which did not fit for a moment is bound anew. */
export interface TextFit {
  readonly fits: boolean
}

/** A text that does not fit is read as a whole to see whether it does again: soon, but not at each letter. */
const CHECK_DELAY_MS = 120

const watches = new WeakMap<Y.Doc, TextFitWatch>()

export function textFitOf(doc: Y.Doc): TextFitWatch {
  const existing = watches.get(doc)
  if (existing) return existing
  const watch = new TextFitWatch(doc.getXmlFragment('default'), textSchema)
  watches.set(doc, watch)
  return watch
}

/** Lives as long as its document, and so does its one listener. */
export class TextFitWatch {
  readonly #text: Y.XmlFragment
  readonly #schema: Schema
  readonly #reader: TextReader
  readonly #listeners = new Subscribable()
  #state: TextFit
  #isCheckPending = false

  constructor(text: Y.XmlFragment, schema: Schema) {
    this.#text = text
    this.#schema = schema
    this.#reader = new TextReader(schema)
    this.#state = { fits: fitsSchema(text, schema) }
    // Runs before the binding's observers.
    text.doc?.on('beforeObserverCalls', this.#onTransaction)
  }

  get = (): TextFit => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Reads only the blocks in which something changed: the others fitted before. */
  readonly #onTransaction = (transaction: Y.Transaction): void => {
    if (!this.#state.fits) return this.#checkLater()
    if (transaction.origin === ySyncPluginKey) return // written by the binding
    for (const block of changedBlocksIn(this.#text, transaction))
      if (!this.#reader.readBlock(block).fits) return this.#setState({ fits: false })
  }

  #checkLater(): void {
    if (this.#isCheckPending) return
    this.#isCheckPending = true
    runLater(CHECK_DELAY_MS, () => {
      this.#isCheckPending = false
      if (fitsSchema(this.#text, this.#schema)) this.#setState({ fits: true })
    })
  }

  #setState(state: TextFit): void {
    this.#state = state
    this.#listeners.notify()
  }
}

/** The children of the text in which the transaction changed something, and what it added among them. */
function changedBlocksIn(text: Y.XmlFragment, transaction: Y.Transaction): ReadonlySet<unknown> {
  const blocks = new Set<unknown>()
  const types: ReadonlySet<unknown> = new Set(transaction.changed.keys())
  for (const type of types) {
    const block = type === text ? null : blockAround(type as Y.AbstractType<unknown>, text)
    if (block) blocks.add(block)
  }
  if (types.has(text))
    for (const child of text.toArray() as unknown[])
      if (!(child instanceof Y.AbstractType) || isNewInTransaction(child, transaction)) blocks.add(child)
  return blocks
}

/** The child of the text that holds the type; null for a deleted one, and for a type that is elsewhere. */
function blockAround(type: Y.AbstractType<unknown>, text: Y.XmlFragment): Y.AbstractType<unknown> | null {
  let block: Y.AbstractType<unknown> | null = type
  while (block && block.parent !== text) block = block.parent
  return block && !itemOf(block)?.deleted ? block : null
}
