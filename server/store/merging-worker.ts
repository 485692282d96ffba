/** Merges one document and ends. Loading it into a Y.Doc, rather than merging updates, drops the content of deleted text. */
import { parentPort, workerData } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import * as Y from 'yjs'
import { type PackedUpdates, unpackUpdates } from './batch.ts'
import type { Merged, MergeJob } from './merging.ts'

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

const { updates, gzip } = workerData as MergeJob
const state = merge(updates)
const merged: Merged = state !== undefined && gzip ? new Uint8Array(gzipSync(state)) : state
parentPort!.postMessage(merged, merged === undefined ? [] : [merged.buffer])
