/**
 * The upstream of all HTTP transports: POSTs whose body is the link's head and then records (protocol/http.ts).
 *
 *   batched posts ──the server said `up`, and no POST is on its way──▶ one streamed body
 *
 * Batches go at once: one is in flight while the next is collected. If the platform can stream a body, one is opened beside them,
 * and takes over when the server has read its head. A body not confirmed in time is held back on its way, and is given up (S5).
 * URL and headers never change, so that they cost next to nothing. Nothing is repeated: a POST that fails ends the link (T3).
 */
import { runLater } from '../run-later.ts'
import type { CloseReason } from '../protocol/close.ts'
import { paths } from '../protocol/http.ts'
import { MAX_BATCH_BYTES } from '../protocol/limits.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import { encodeLinkHead } from '../protocol/link-key.ts'
import { encodeControl, encodeRecords } from '../protocol/records.ts'
import { transportsStrings } from '../strings/transports.ts'
import { bearerHeaders, refusalError } from './opening.ts'
import { proofTimeoutMs } from './proof-timeout.ts'
import { SendQueue } from './send-queue.ts'
import { StreamedBody } from './streamed-body.ts'
import type { LinkInfo, LinkTarget } from './transport.ts'
import { TransportError } from './transport.ts'

/** How long to wait for the answer to the last POST or record. */
const CLOSE_TIMEOUT_MS = 1_000

export interface UpstreamOptions {
  readonly target: LinkTarget
  readonly key: LinkKey
  /** Whether to try a streamed body if target and platform allow it. */
  readonly mayStreamBody: boolean
  /** The upstream broke, so the link must end. */
  readonly onFailure: (reason: CloseReason) => void
}

export class Upstream {
  readonly #target: LinkTarget
  readonly #head: Uint8Array<ArrayBuffer>
  readonly #onFailure: UpstreamOptions['onFailure']
  readonly #queue = new SendQueue()
  readonly #abort = new AbortController()
  #posting: Promise<void> | undefined
  #streamedBody: StreamedBody | undefined
  #isConfirmed = false
  #cancelProof = (): void => {}

  constructor({ target, key, mayStreamBody, onFailure }: UpstreamOptions) {
    this.#target = target
    this.#head = encodeLinkHead(key)
    this.#onFailure = onFailure
    if (mayStreamBody && target.streamedBody !== false && target.net.canStreamBody(target.origin))
      this.#tryStreamedBody()
  }

  get mode(): LinkInfo['up'] {
    return this.#streamedBody?.hasBegun ? 'streamed body' : 'batched posts'
  }

  send(frame: Uint8Array): Promise<void> {
    const room = this.#queue.push(frame)
    if (this.#streamedBody?.hasBegun) this.#streamedBody.wake()
    else this.#posting ??= this.#postQueue()
    return room
  }

  /** The server has read the streamed body's head. */
  onBodyConfirmed(): void {
    this.#cancelProof()
    if (!this.#streamedBody) return
    this.#isConfirmed = true
    if (!this.#posting) this.#streamedBody.begin()
  }

  /** Sends the reason after what is in flight, and drops what waits. Resolves when the server has it or cannot be reached. */
  async close(reason: CloseReason): Promise<void> {
    this.#queue.clear()
    const last = encodeControl({ type: 'close', reason })
    if (this.#streamedBody?.hasBegun) return this.#streamedBody.finish(last, CLOSE_TIMEOUT_MS)
    this.#dropStreamedBody()
    await settleWithin(CLOSE_TIMEOUT_MS, this.#posting)
    const body = encodeRecords([], { before: this.#head, after: last })
    await settleWithin(CLOSE_TIMEOUT_MS, this.#request(body, true))
    this.abort()
  }

  /** Releases everything at once. */
  abort(): void {
    this.#queue.clear()
    this.#dropStreamedBody()
    this.#abort.abort()
  }

  #tryStreamedBody(): void {
    const { net, origin } = this.#target
    this.#streamedBody = new StreamedBody(this.#target, this.#head, this.#queue, (reason) =>
      this.#onStreamedBodyEnd(reason),
    )
    this.#cancelProof = runLater(proofTimeoutMs(net.roundTripMs(origin)), () => this.#dropStreamedBody())
  }

  #dropStreamedBody(): void {
    this.#cancelProof()
    this.#streamedBody?.abort()
    this.#streamedBody = undefined
  }

  #onStreamedBodyEnd(reason: CloseReason): void {
    const confirmed = this.#isConfirmed
    this.#dropStreamedBody()
    if (confirmed) this.#onFailure(reason)
  }

  /** Never rejects: failures go to `onFailure`. */
  async #postQueue(): Promise<void> {
    try {
      await Promise.resolve() // Frames of the same turn share a POST.
      while (!this.#queue.isEmpty && !this.#isConfirmed) await this.#postBatch()
      this.#posting = undefined
      if (this.#isConfirmed) this.#streamedBody?.begin()
    } catch (error) {
      if (this.#abort.signal.aborted) return
      const lost: CloseReason = { code: 'lost', detail: transportsStrings.details.postFailed(String(error)) }
      this.#onFailure(error instanceof TransportError ? error.reason : lost)
    }
  }

  async #postBatch(): Promise<void> {
    const frames = this.#queue.take(MAX_BATCH_BYTES - this.#head.byteLength)
    const response = await this.#request(encodeRecords(frames, { before: this.#head }), false)
    if (!response.ok) throw await refusalError(response)
  }

  #request(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<Response> {
    const { net, origin } = this.#target
    const headers = bearerHeaders(this.#target)
    return net.fetch(origin + paths.up, {
      method: 'POST',
      headers,
      body,
      signal: this.#abort.signal,
      keepalive,
    })
  }
}

/** Never rejects. */
async function settleWithin(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const cancel = runLater(ms, resolve)
  await Promise.race([work, late]).catch(() => {})
  cancel()
}
