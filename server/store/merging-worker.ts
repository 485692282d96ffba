/** Merges documents one after the other. Loading one into a Y.Doc, rather than merging updates, drops the content of deleted text. */
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import * as Y from 'yjs'
import { type PackedUpdates, unpackUpdates } from './batch.ts'
import type { Merged, MergeJob, MergeReply } from './merging.ts'

const port = parentPort!

const merge = (packed: PackedUpdates, gzip: boolean): Merged | null => {
  const doc = new Y.Doc()
  doc.transact((transaction) => {
    for (const update of unpackUpdates(packed)) Y.applyUpdate(doc, update)
    // As a remote one Yjs would tidy formatting up, and the snapshot would hold deletions that no window has.
    transaction.local = true
  })
  if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) return null
  const state = Y.encodeStateAsUpdate(doc)
  return {
    state: gzip ? new Uint8Array(gzipSync(state)) : state.slice(),
    stateVector: Y.encodeStateVector(doc).slice(),
  }
}

const reply = (answer: MergeReply) => {
  const merged = 'merged' in answer ? answer.merged : null
  port.postMessage(answer, merged ? [merged.state.buffer, merged.stateVector.buffer] : [])
}

port.on('message', ({ updates, gzip }: MergeJob) => {
  try {
    reply({ merged: merge(updates, gzip) })
  } catch (error) {
    reply({ failure: String(error) })
  }
})
