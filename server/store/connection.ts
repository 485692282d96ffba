/** The main thread's end of the worker: requests go out, answers come back by number. Knows no SQL. */
import { type Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { restoreFailure } from './failure.ts'
import type { Answers, Commands, Kind, Reply } from './messages.ts'

export interface Connection {
  /** Rejects with what the worker threw, or because the worker is gone. */
  request<K extends Kind>(kind: K, command: Commands[K], transfer?: Transferable[]): Promise<Answers[K]>
  /** Closes the database after everything asked for so far. Resolves once the thread is gone. */
  end(): Promise<void>
}

interface Waiting {
  resolve(value: never): void
  reject(error: Error): void
}

export const startConnection = (file: string, log?: Logger): Connection => {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    name: 'store',
    workerData: file,
  })
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let gone: Error | undefined

  const fail = (error: Error) => {
    gone ??= error
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  }

  worker.on('message', (reply: Reply) => {
    const caller = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('failure' in reply) caller?.reject(restoreFailure(reply.failure))
    else caller?.resolve(reply.value as never)
  })
  worker.on('error', (error) => {
    log?.fatal(
      { err: error },
      'The thread of the store died; the store stays down until the server is started again',
    )
    fail(new Error('The thread of the store died', { cause: error }))
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The store is closed'))
      resolve()
    })
  })

  const request: Connection['request'] = (kind, command, transfer = []) =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(gone)
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      worker.postMessage({ id, kind, ...command }, transfer)
    })

  return {
    request,
    async end() {
      await request('close', {}).catch((error: Error) =>
        log?.error({ err: error }, 'The store did not close cleanly'),
      )
      await worker.terminate()
      await ended
    },
  }
}
