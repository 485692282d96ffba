/** Replaces a document's log by a snapshot (D5). */
import type { DocumentMerger } from './document-merger.ts'
import type { DocumentPart, DocumentStore, LoadedPart } from './store.ts'

/** The merged state that replaces all edits up to `sequence`. */
export interface PartSnapshot {
  readonly state: Uint8Array
  readonly stateVector: Uint8Array
  readonly sequence: number
}

/** All that is stored of a part: the snapshot and the log behind it. */
export type StoredPart = Pick<LoadedPart, 'updates' | 'sequence' | 'logLength'>

/**
 * @param readStored Returns what the caller has in memory of it; null where that may not be all. Then it is loaded.
 * @returns null when there was nothing to do, nothing that could be done without losing pending edits, or another node is doing it.
 * @throws {StoreError} when the document cannot be read, merged in time, or written; then it stays as it was.
 */
export const compactDocument = (
  store: DocumentStore,
  document: string,
  part: DocumentPart,
  merger: DocumentMerger,
  readStored: () => StoredPart | null = () => null,
): Promise<PartSnapshot | null> =>
  merger.runInTurn(document, () => compactInTurn(store, document, part, merger, readStored))

const compactInTurn = async (
  store: DocumentStore,
  document: string,
  part: DocumentPart,
  merger: DocumentMerger,
  readStored: () => StoredPart | null,
): Promise<PartSnapshot | null> => {
  const endClaim = await store.claimCompaction(document, part)
  if (!endClaim) return null
  try {
    const { updates, sequence, logLength } = readStored() ?? (await store.load(document, part))
    if (logLength === 0) return null
    const merged = await merger.merge({ document, part, sequence, updates })
    if (!merged) return null
    await store.compact(document, part, merged.state, sequence, merged.stateVector)
    return { ...merged, sequence }
  } finally {
    await endClaim()
  }
}
