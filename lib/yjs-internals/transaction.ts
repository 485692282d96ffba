/** What Yjs does at the end of a transaction, and what it would do there. */
import type * as Y from 'yjs'

/** The structs that the transaction has cut, each by its right half: at the end Yjs tries to merge them again. */
export const cutStructsOf = (transaction: Y.Transaction): Y.AbstractStruct[] => transaction._mergeStructs

/** After a remote edit Yjs deletes superfluous marks in a transaction of its own. Called in `afterTransaction`, this keeps them. */
export function skipFormattingCleanup(transaction: Y.Transaction): void {
  transaction._needFormattingCleanup = false
}

/** The transactions that have begun and whose observers have not all run. */
export const openTransactionsOf = (doc: Y.Doc): readonly Y.Transaction[] => doc._transactionCleanups

export const hasListeners = (doc: Y.Doc, event: string): boolean => doc._observers.has(event)
