/**
 * Replaces a document's log by a snapshot (D5). The merging is done by a thread of its own, so that neither the event loop nor
 * the store's commits wait for it.
 */
import { Worker } from 'node:worker_threads'
import { type PackedUpdates, packUpdates } from './batch.ts'
import { type DocumentStore, type Part, StoreError } from './store.ts'

/** What the worker says. Undefined: something in the document waits for edits that are not there, so all is kept as it is. */
export type Merged = Uint8Array<ArrayBuffer> | undefined

let running: Promise<unknown> = Promise.resolve()

/**
 * One at a time in this process, however many ask: each takes a core and the memory of a whole document.
 * @returns false when there was nothing to do, or nothing that could be done without losing pending edits.
 * @throws {StoreError} when the document cannot be read, merged or written; then it is as it was.
 */
export const compactDocument = (store: DocumentStore, document: string, part: Part): Promise<boolean> => {
  const result = running.then(() => compact(store, document, part))
  running = result.catch(() => {})
  return result
}

const compact = async (store: DocumentStore, document: string, part: Part): Promise<boolean> => {
  const { updates, sequence, logLength } = await store.load(document, part)
  if (logLength === 0) return false
  const snapshot = await merge(packUpdates(updates)).catch((cause: Error) => {
    throw new StoreError(`${part} of ${document} cannot be merged: ${cause.message}`, { cause })
  })
  if (snapshot === undefined) return false
  await store.compact(document, part, snapshot, sequence)
  return true
}

const merge = (updates: PackedUpdates) =>
  new Promise<Merged>((resolve, reject) => {
    const worker = new Worker(new URL('./compaction-worker.ts', import.meta.url), {
      name: 'compaction',
      workerData: updates,
      transferList: [updates.bytes.buffer],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`the thread ended with code ${code} and without an answer`)),
    )
  })
