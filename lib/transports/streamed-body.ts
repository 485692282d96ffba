/** One request whose body lasts as long as its link: the head at once, frames once it has begun. */
import type { CloseReason } from '../protocol/close.ts'
import { paths } from '../protocol/http.ts'
import { encodeRecords } from '../protocol/records.ts'
import { strings } from '../strings/transports.ts'
import { HIGH_WATER_BYTES } from './link.ts'
import { bearer, refusedBy } from './opening.ts'
import type { SendQueue } from './send-queue.ts'
import type { Target } from './transport.ts'

type Bytes = Uint8Array<ArrayBuffer>

export class StreamedBody {
  readonly #queue: SendQueue
  readonly #abort = new AbortController()
  readonly #answered: Promise<void>
  #waiting: ReadableStreamDefaultController<Bytes> | undefined
  #last: Bytes | undefined
  #ended = false
  begun = false

  /** @param onEnd The request is over, though nobody here ended it. */
  constructor(target: Target, head: Bytes, queue: SendQueue, onEnd: (reason: CloseReason) => void) {
    this.#queue = queue
    const body = new ReadableStream<Bytes>(
      {
        start: (controller) => controller.enqueue(head),
        pull: (controller) => this.#pull(controller),
        cancel: () => void (this.#waiting = undefined),
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', headers: bearer(target), body, signal: this.#abort.signal } as const
    this.#answered = target.net
      .fetch(target.origin + paths.up, init)
      .then(endOf, brokenOff)
      .then((reason) => {
        if (!this.#ended) onEnd(reason)
      })
  }

  /** From now on it takes what the queue has. */
  begin(): void {
    this.begun = true
    this.wake()
  }

  wake(): void {
    if (this.#waiting) this.#pull(this.#waiting)
  }

  /**
   * Sends a last record and waits for the server's answer, no longer than `ms`. The body is never ended in good order: where the
   * connection is dead, Chromium 156's network service crashes on one that did (at its HTTP/2 ping's failure), and takes every
   * request and unsaved cookie of the browser along. The server answers at the last record, and an abort is safe.
   */
  async finish(last: Bytes, ms: number): Promise<void> {
    this.#ended = true
    this.#last = last
    this.wake()
    const timer = setTimeout(() => this.#abort.abort(), ms)
    await this.#answered
    clearTimeout(timer)
    this.#abort.abort()
  }

  abort(): void {
    this.#ended = true
    this.#waiting = undefined
    this.#abort.abort()
  }

  #pull(controller: ReadableStreamDefaultController<Bytes>): void {
    const bytes = this.#next()
    this.#waiting = bytes ? undefined : controller
    if (bytes) controller.enqueue(bytes)
  }

  #next(): Bytes | undefined {
    const last = this.#last
    this.#last = undefined
    if (last || !this.begun || this.#queue.empty) return last
    return encodeRecords(this.#queue.take(HIGH_WATER_BYTES))
  }
}

async function endOf(response: Response): Promise<CloseReason> {
  const { reason } = await refusedBy(response)
  return response.ok ? { code: 'lost', detail: strings.details.uploadEnded } : reason
}

const brokenOff = (error: unknown): CloseReason => ({
  code: 'lost',
  detail: strings.details.uploadBroke(String(error)),
})
