/**
 * Merging a whole document, in a thread of its own (D5): neither the event loop nor the store's commits wait for it. The thread
 * stays for a while, since starting one takes longer than merging most documents.
 */
import { Worker } from 'node:worker_threads'
import { type PackedUpdates, packUpdates } from './batch.ts'

export interface MergeJob {
  readonly updates: PackedUpdates
  readonly gzip: boolean
}

export interface Merged {
  /** One Yjs update that stands for all; compressed where that was asked for. */
  readonly state: Uint8Array<ArrayBuffer>
  readonly stateVector: Uint8Array<ArrayBuffer>
}

/** What the thread says. `merged` is null where something in the document waits for edits that are not there. */
export type MergeReply = { readonly merged: Merged | null } | { readonly failure: string }

const IDLE_MS = 10_000

let running: Promise<unknown> = Promise.resolve()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/** One at a time in this process, however many ask: each takes a core and the memory of a whole document. */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const result = running.then(work)
  running = result.catch(() => {})
  return result
}

/** To be called in turn. Null: something waits for edits that are not there. Rejects for what Yjs cannot read. */
export const mergeUpdates = async (
  updates: readonly Uint8Array[],
  { gzip = false } = {},
): Promise<Merged | null> => {
  clearTimeout(idle)
  const worker = (thread ??= startThread())
  worker.ref()
  try {
    return await merge(worker, { updates: packUpdates(updates), gzip })
  } finally {
    worker.unref() // a process that has nothing else to do may end
    idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref()
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL('./merging-worker.ts', import.meta.url), { name: 'merging' })
  worker.once('exit', () => {
    if (thread === worker) thread = undefined
  })
  return worker
}

const merge = (worker: Worker, job: MergeJob): Promise<Merged | null> =>
  new Promise((resolve, reject) => {
    const onMessage = (reply: MergeReply) => {
      stop()
      if ('failure' in reply) reject(new Error(reply.failure))
      else resolve(reply.merged)
    }
    const onError = (error: Error) => {
      stop()
      reject(error)
    }
    const onExit = (code: number) => onError(new Error(`the thread ended with code ${code} and no answer`))
    const stop = () => worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.once('message', onMessage).once('error', onError).once('exit', onExit)
    worker.postMessage(job, [job.updates.bytes.buffer])
  })
