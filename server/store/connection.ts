/**
 * The main thread's end of the worker: requests go out, answers come back by number. A worker that dies is replaced, and whoever
 * waited for its answer is told that it is lost. Knows no SQL.
 */
import { type Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { restoreFailure } from './failure.ts'
import type { Answers, Commands, Kind, Reply } from './messages.ts'

export interface Connection {
  /** Rejects with what the worker threw, or because the worker is gone. @throws {AnswerLost} */
  request<K extends Kind>(kind: K, command: Commands[K], transfer?: Transferable[]): Promise<Answers[K]>
  /** Closes the database after everything asked for so far. Resolves once the thread is gone. */
  end(): Promise<void>
}

export interface ConnectionOptions {
  readonly file: string
  readonly log?: Logger | undefined
  /** The worker died too often in a row and is not replaced any more. */
  readonly onGivenUp?: ((error: Error) => void) | undefined
  /** Default: sqlite-worker.ts. */
  readonly thread?: URL | undefined
}

/** The worker died before it answered: what was asked for may be done or not. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

interface Waiting {
  resolve(value: never): void
  reject(error: Error): void
}

/** After so many deaths in a row the next thread would die as well. */
const MAX_DEATHS = 5
/** Who lived that long died of something else than the one before it. */
const LONG_LIFE_MS = 60_000
/** Before the second replacement in a row; the first is made at once, and each further one waits twice as long. */
const FIRST_PAUSE_MS = 200

export const startConnection = (options: ConnectionOptions): Connection => {
  const { file, log, onGivenUp, thread = new URL('./sqlite-worker.ts', import.meta.url) } = options
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let deaths = 0
  let worker: Worker | null = null
  let ending = false
  /** Why nothing can be asked for now. */
  let gone: Error | undefined
  let ended = Promise.resolve()
  let pause: NodeJS.Timeout | undefined

  const fail = (error: Error) => {
    const unanswered = [...waiting.values()]
    waiting.clear()
    for (const { reject } of unanswered) reject(error)
  }

  const start = (): Worker => {
    const started = new Worker(thread, { name: 'store', workerData: file })
    const startedAt = performance.now()
    let cause: unknown
    worker = started
    gone = undefined
    started.on('message', (reply: Reply) => {
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      if ('failure' in reply) caller?.reject(restoreFailure(reply.failure))
      else caller?.resolve(reply.value as never)
    })
    started.on('error', (error) => {
      cause = error
    })
    ended = new Promise((resolve) => {
      started.on('exit', (code) => {
        worker = null
        if (performance.now() - startedAt > LONG_LIFE_MS) deaths = 0
        if (ending) close()
        else onDeath(cause ?? new Error(`it ended with code ${code}`))
        resolve()
      })
    })
    return started
  }

  const close = () => {
    gone = new Error('The store is closed')
    fail(gone)
  }

  const onDeath = (cause: unknown) => {
    deaths += 1
    log?.error({ err: cause, deaths }, 'the thread of the store died')
    const lost = new AnswerLost('The thread of the store died', { cause })
    gone = lost
    fail(lost) // before the next thread is asked for anything
    if (deaths > MAX_DEATHS) onGivenUp?.(lost)
    else if (deaths === 1) restart()
    else pause = setTimeout(restart, FIRST_PAUSE_MS * 2 ** (deaths - 2))
  }

  /** The database is opened before anything else that is asked for. */
  const restart = () => {
    const replacement = start()
    request('open', {}).catch((error: Error) => {
      log?.error({ err: error }, 'the database could not be opened again')
      if (!(error instanceof AnswerLost)) void replacement.terminate()
    })
  }

  const request: Connection['request'] = (kind, command, transfer = []) =>
    new Promise((resolve, reject) => {
      if (gone !== undefined || worker === null) return reject(gone ?? new Error('The store is closed'))
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, kind, ...command }, transfer)
    })

  start()
  return {
    request,
    async end() {
      await request('close', {}).catch((error: Error) =>
        log?.error({ err: error }, 'The store did not close cleanly'),
      )
      ending = true
      clearTimeout(pause)
      await worker?.terminate()
      await ended
      close()
    },
  }
}
