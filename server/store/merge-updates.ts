/** Merges what is stored of a document. It loads it into a Y.Doc instead of merging updates, which drops the content of deleted text. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import { amountIn, clockOf, hasPendingStructs } from '../../lib/yjs-internals/struct-store.ts'
import { unpackUpdates } from './batch.ts'
import type { MergedText, MergeJob } from './document-merger.ts'
import { writeTitle } from './write-title.ts'

/** Returns null when something waits for missing edits. */
export function mergeUpdates({ updates, gzip, title, since }: MergeJob): MergedText | null {
  const doc = new Y.Doc()
  doc.transact((transaction) => {
    for (const update of unpackUpdates(updates)) Y.applyUpdate(doc, update)
    // A remote transaction would make Yjs tidy formatting up, and the snapshot would contain deletions that no window has.
    transaction.local = true
  })
  if (hasPendingStructs(doc)) return null
  if (title !== null) writeTitleAsNewClient(doc, title)
  const known = since ? Y.encodeStateVectorFromUpdate(gunzipSync(since)) : undefined
  const state = Y.encodeStateAsUpdate(doc, known)
  return {
    state: gzip ? new Uint8Array(gzipSync(state)) : state.slice(),
    stateVector: Y.encodeStateVector(doc).slice(),
    amount: amountIn(doc),
  }
}

function writeTitleAsNewClient(doc: Y.Doc, title: string): void {
  while (clockOf(doc, doc.clientID) > 0) doc.clientID = uint32()
  doc.transact(() => writeTitle(doc, title))
}
