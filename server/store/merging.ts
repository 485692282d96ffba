/** Merging a whole document, in a thread of its own (D5): neither the event loop nor the store's commits wait for it. */
import { Worker } from 'node:worker_threads'
import { type PackedUpdates, packUpdates } from './batch.ts'

export interface MergeJob {
  readonly updates: PackedUpdates
  readonly gzip: boolean
}

/** What the worker says. Undefined: something in the document waits for edits that are not there. */
export type Merged = Uint8Array<ArrayBuffer> | undefined

let running: Promise<unknown> = Promise.resolve()

/** One at a time in this process, however many ask: each takes a core and the memory of a whole document. */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const result = running.then(work)
  running = result.catch(() => {})
  return result
}

/** One Yjs update that stands for all of these; with `gzip`, compressed. Rejects for what Yjs cannot read. */
export const mergeUpdates = (updates: readonly Uint8Array[], { gzip = false } = {}): Promise<Merged> =>
  new Promise((resolve, reject) => {
    const packed = packUpdates(updates)
    const worker = new Worker(new URL('./merging-worker.ts', import.meta.url), {
      name: 'merging',
      workerData: { updates: packed, gzip } satisfies MergeJob,
      transferList: [packed.bytes.buffer],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Error(`the thread ended with code ${code} and without an answer`)),
    )
  })
