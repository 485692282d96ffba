/** Sends requests to a worker thread, and receives one answer to each. */
import { parentPort, Worker } from 'node:worker_threads'

interface NumberedRequest<WorkerRequest> {
  readonly number: number
  readonly request: WorkerRequest
}

interface NumberedAnswer {
  readonly number: number
  readonly result?: unknown
  readonly error?: string
}

export class RequestWorker<WorkerRequest> {
  readonly #worker: Worker
  readonly #pending: PromiseWithResolvers<unknown>[] = []

  constructor(program: URL) {
    this.#worker = new Worker(program)
    this.#worker.on('message', ({ number, result, error }: NumberedAnswer) => {
      const { resolve, reject } = this.#pending[number]!
      if (error === undefined) resolve(result)
      else reject(new Error(error))
    })
    this.#worker.on('error', (error) => this.#pending.forEach(({ reject }) => reject(error)))
  }

  /** @throws {Error} what the worker threw, in words. */
  request(request: WorkerRequest): Promise<unknown> {
    const pending = Promise.withResolvers<unknown>()
    const number = this.#pending.push(pending) - 1
    this.#worker.postMessage({ number, request } satisfies NumberedRequest<WorkerRequest>)
    return pending.promise
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Is called in the worker. */
export function answerRequests<WorkerRequest>(answer: (request: WorkerRequest) => Promise<unknown>): void {
  const post = (message: NumberedAnswer): void => parentPort!.postMessage(message)
  parentPort!.on('message', ({ number, request }: NumberedRequest<WorkerRequest>) => {
    answer(request).then(
      (result) => post({ number, result }),
      (error: unknown) => post({ number, error: String(error) }),
    )
  })
}
