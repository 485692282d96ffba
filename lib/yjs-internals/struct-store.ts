/** What a Y.Doc stores: each client's structs, in the order of their clocks. Yjs's types show it, its documentation does not. */
import * as Y from 'yjs'

export type StoredStruct = Y.Item | Y.GC

/** The list itself: whoever changes it does Yjs's own work. */
export const structsOf = (doc: Y.Doc, client: number): StoredStruct[] | undefined =>
  doc.store.clients.get(client)

/** How many structs of all clients there are. */
export function countStructs({ store }: Y.Doc): number {
  let count = 0
  for (const structs of store.clients.values()) count += structs.length
  return count
}

/** In clocks: a letter, a block or a value is one. */
export interface TextAmount {
  readonly written: number
  readonly deleted: number
}

/**
 * How much was ever written in a document, and how much of that is deleted. Both only grow: where one of two states contains the other, as
 * a server's does a window's, equal amounts are equal states.
 */
export function amountIn({ store }: Y.Doc): TextAmount {
  let [written, deleted] = [0, 0]
  for (const structs of store.clients.values())
    for (const { length, deleted: isDeleted } of structs) {
      written += length
      if (isDeleted) deleted += length
    }
  return { written, deleted }
}

export const clientsIn = (doc: Y.Doc): Iterable<number> => doc.store.clients.keys()

export const clientCountOf = (doc: Y.Doc): number => doc.store.clients.size

/** The clock after the client's last struct, as the state vector has it; 0 for an unknown client. */
export const clockOf = (doc: Y.Doc, client: number): number => Y.getState(doc.store, client)

/** The struct that holds the id, which must be stored. */
export const structAt = (doc: Y.Doc, id: Y.ID): StoredStruct => Y.getItem(doc.store, id)

/** Resolves what a decoded struct refers to. Returns the client whose structs it waits for; null if it may be integrated. */
export const resolveReferences = (
  struct: { getMissing(transaction: Y.Transaction, store: Y.Doc['store']): number | null },
  transaction: Y.Transaction,
): number | null => struct.getMissing(transaction, transaction.doc.store)

/** Drops the content of a deleted item, and of all within it. */
export const dropContent = (doc: Y.Doc, item: Y.Item): void => item.gc(doc.store, false)

/** Whether structs or deletions wait for text that they build on. */
export const hasPendingStructs = ({ store }: Y.Doc): boolean =>
  store.pendingStructs !== null || store.pendingDs !== null

/** Calls `run` while the document looks as if nothing was pending. */
export function withoutPendingStructs<Result>({ store }: Y.Doc, run: () => Result): Result {
  const { pendingStructs, pendingDs } = store
  Object.assign(store, { pendingStructs: null, pendingDs: null })
  try {
    return run()
  } finally {
    Object.assign(store, { pendingStructs, pendingDs })
  }
}
