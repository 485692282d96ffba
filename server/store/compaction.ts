/** Replaces a document's log by a snapshot (D5). */
import { inTurn, mergeUpdates } from './merging.ts'
import { type DocumentStore, type Part, StoreError } from './store.ts'

/**
 * @returns false when there was nothing to do, or nothing that could be done without losing pending edits.
 * @throws {StoreError} when the document cannot be read, merged or written; then it is as it was.
 */
export const compactDocument = (store: DocumentStore, document: string, part: Part): Promise<boolean> =>
  inTurn(() => compact(store, document, part))

const compact = async (store: DocumentStore, document: string, part: Part): Promise<boolean> => {
  const { updates, sequence, logLength } = await store.load(document, part)
  if (logLength === 0) return false
  const snapshot = await mergeUpdates(updates).catch((cause: Error) => {
    throw new StoreError(`${part} of ${document} cannot be merged: ${cause.message}`, { cause })
  })
  if (snapshot === undefined) return false
  await store.compact(document, part, snapshot, sequence)
  return true
}
