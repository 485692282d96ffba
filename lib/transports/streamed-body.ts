/** One request whose body lasts as long as its link. It sends the head at once, and frames after `begin`. */
import { runLater } from '../run-later.ts'
import type { CloseReason } from '../protocol/close.ts'
import { paths } from '../protocol/http.ts'
import { encodeRecords } from '../protocol/records.ts'
import { transportsStrings } from '../strings/transports.ts'
import { HIGH_WATER_BYTES } from './link.ts'
import { bearerHeaders, refusalError } from './opening.ts'
import type { SendQueue } from './send-queue.ts'
import type { LinkTarget } from './transport.ts'

type Bytes = Uint8Array<ArrayBuffer>

export class StreamedBody {
  readonly #queue: SendQueue
  readonly #abort = new AbortController()
  readonly #answer: Promise<void>
  #waitingController: ReadableStreamDefaultController<Bytes> | undefined
  #lastRecord: Bytes | undefined
  #hasEnded = false
  hasBegun = false

  /** @param onEnd The request ended, though this side did not end it. */
  constructor(target: LinkTarget, head: Bytes, queue: SendQueue, onEnd: (reason: CloseReason) => void) {
    this.#queue = queue
    const body = new ReadableStream<Bytes>(
      {
        start: (controller) => controller.enqueue(head),
        pull: (controller) => this.#pull(controller),
        cancel: () => void (this.#waitingController = undefined),
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', headers: bearerHeaders(target), body, signal: this.#abort.signal } as const
    this.#answer = target.net
      .fetch(target.origin + paths.up, init)
      .then(reasonOfEnd, reasonOfBreak)
      .then((reason) => {
        if (!this.#hasEnded) onEnd(reason)
      })
  }

  /** Sends the queue's frames from now on. */
  begin(): void {
    this.hasBegun = true
    this.wake()
  }

  wake(): void {
    if (this.#waitingController) this.#pull(this.#waitingController)
  }

  /**
   * Sends a last record and waits at most `ms` for the server's answer. The body is never ended normally: if the connection is
   * dead, Chromium 156's network service crashes on a body that ended (when its HTTP/2 ping fails), and the browser loses every
   * request and unsaved cookie. The server answers at the last record, and an abort is safe.
   */
  async finish(last: Bytes, ms: number): Promise<void> {
    this.#hasEnded = true
    this.#lastRecord = last
    this.wake()
    const cancel = runLater(ms, () => this.#abort.abort())
    await this.#answer
    cancel()
    this.#abort.abort()
  }

  abort(): void {
    this.#hasEnded = true
    this.#waitingController = undefined
    this.#abort.abort()
  }

  #pull(controller: ReadableStreamDefaultController<Bytes>): void {
    const bytes = this.#next()
    this.#waitingController = bytes ? undefined : controller
    if (bytes) controller.enqueue(bytes)
  }

  #next(): Bytes | undefined {
    const last = this.#lastRecord
    this.#lastRecord = undefined
    if (last || !this.hasBegun || this.#queue.isEmpty) return last
    return encodeRecords(this.#queue.take(HIGH_WATER_BYTES))
  }
}

async function reasonOfEnd(response: Response): Promise<CloseReason> {
  const { reason } = await refusalError(response)
  return response.ok ? { code: 'lost', detail: transportsStrings.details.uploadEnded } : reason
}

const reasonOfBreak = (error: unknown): CloseReason => ({
  code: 'lost',
  detail: transportsStrings.details.uploadBroke(String(error)),
})
