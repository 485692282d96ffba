/** Merges one document and ends. Loading it into a Y.Doc, rather than merging updates, drops the content of deleted text. */
import { parentPort, workerData } from 'node:worker_threads'
import * as Y from 'yjs'
import { type PackedUpdates, unpackUpdates } from './batch.ts'
import type { Merged } from './compaction.ts'

const merge = (packed: PackedUpdates): Merged => {
  const doc = new Y.Doc()
  doc.transact((transaction) => {
    for (const update of unpackUpdates(packed)) Y.applyUpdate(doc, update)
    // As a remote one Yjs would tidy formatting up, and the snapshot would hold deletions that no window has.
    transaction.local = true
  })
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) return undefined
  return Y.encodeStateAsUpdate(doc).slice()
}

const merged = merge(workerData as PackedUpdates)
parentPort!.postMessage(merged, merged === undefined ? [] : [merged.buffer])
