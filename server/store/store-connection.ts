/**
 * The main thread's end of the worker: it sends requests and matches answers by number. A worker that dies is replaced, and its
 * pending requests are rejected as lost. It knows no SQL.
 */
import { type Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { ReplyLostError } from './group-commit.ts'
import { deserializeError } from './serialized-error.ts'
import type { WorkerResults, WorkerCommands, CommandKind, WorkerReply } from './worker-messages.ts'

export interface StoreConnection {
  /**
   * Rejects with what the worker threw, or because the worker is gone.
   * @throws {ReplyLostError}
   */
  request<K extends CommandKind>(
    kind: K,
    command: WorkerCommands[K],
    transfer?: Transferable[],
  ): Promise<WorkerResults[K]>
  /** Closes the database after all requests so far. Resolves once the thread is gone. */
  end(): Promise<void>
}

export interface StoreConnectionOptions {
  readonly file: string
  readonly log?: Logger | undefined
  /** Called when the worker died too often in a row and is not replaced any more. */
  readonly onGiveUp?: ((error: Error) => void) | undefined
  /** The default is sqlite-worker.ts. */
  readonly workerFile?: URL | undefined
  /** Another database, which is read beside it, as the schema `store`. This one can be built anew, and is not synced at each commit. */
  readonly attached?: string | undefined
}

interface PendingReply {
  resolve(value: never): void
  reject(error: Error): void
}

/** After so many crashes in a row the next thread would crash as well. */
const MAX_CONSECUTIVE_CRASHES = 5
/** A thread that ran so long crashed for another reason than the one before it. */
const CRASH_RESET_MS = 60_000
/** The wait before the second replacement in a row. The first is made at once, and each further one waits twice as long. */
const FIRST_BACKOFF_MS = 200

export const startStoreConnection = (options: StoreConnectionOptions): StoreConnection => {
  const {
    file,
    log,
    onGiveUp,
    attached,
    workerFile = new URL('./sqlite-worker.ts', import.meta.url),
  } = options
  const pending = new Map<number, PendingReply>()
  let lastId = 0
  let crashes = 0
  let worker: Worker | null = null
  let ending = false
  /** Why requests are rejected now. */
  let unavailable: Error | undefined
  let exited = Promise.resolve()
  let backoffTimer: NodeJS.Timeout | undefined

  const rejectPending = (error: Error) => {
    const unanswered = [...pending.values()]
    pending.clear()
    for (const { reject } of unanswered) reject(error)
  }

  const startWorker = (): Worker => {
    const startedWorker = new Worker(workerFile, { name: 'store', workerData: file })
    const startedAt = performance.now()
    let cause: unknown
    worker = startedWorker
    unavailable = undefined
    startedWorker.on('message', (reply: WorkerReply) => {
      const caller = pending.get(reply.id)
      pending.delete(reply.id)
      if ('failure' in reply) caller?.reject(deserializeError(reply.failure))
      else caller?.resolve(reply.value as never)
    })
    startedWorker.on('error', (error) => {
      cause = error
    })
    exited = new Promise((resolve) => {
      startedWorker.on('exit', (code) => {
        worker = null
        if (performance.now() - startedAt > CRASH_RESET_MS) crashes = 0
        if (ending) rejectClosed()
        else onCrash(cause ?? new Error(`it ended with code ${code}`))
        resolve()
      })
    })
    return startedWorker
  }

  const rejectClosed = () => {
    unavailable = new Error('The store is closed')
    rejectPending(unavailable)
  }

  const onCrash = (cause: unknown) => {
    crashes += 1
    log?.error({ err: cause, deaths: crashes }, 'the thread of the store died')
    const error = new ReplyLostError('The thread of the store died', { cause })
    unavailable = error
    rejectPending(error) // before the next thread gets a request
    if (crashes > MAX_CONSECUTIVE_CRASHES) onGiveUp?.(error)
    else if (crashes === 1) restartWorker()
    else backoffTimer = setTimeout(restartWorker, FIRST_BACKOFF_MS * 2 ** (crashes - 2))
  }

  /** Opens the database before any other request. */
  const restartWorker = () => {
    const replacement = startWorker()
    request('open', { attached }).catch((error: Error) => {
      log?.error({ err: error }, 'the database could not be opened again')
      if (!(error instanceof ReplyLostError)) void replacement.terminate()
    })
  }

  const request: StoreConnection['request'] = (kind, command, transfer = []) =>
    new Promise((resolve, reject) => {
      if (unavailable !== undefined || worker === null)
        return reject(unavailable ?? new Error('The store is closed'))
      const id = ++lastId
      pending.set(id, { resolve, reject })
      worker.postMessage({ id, kind, ...command }, transfer)
    })

  startWorker()
  return {
    request,
    async end() {
      await request('close', {}).catch((error: Error) =>
        log?.error({ err: error }, 'The store did not close cleanly'),
      )
      ending = true
      clearTimeout(backoffTimer)
      await worker?.terminate()
      await exited
      rejectClosed()
    },
  }
}
