/**
 * The way up of all HTTP transports: POSTs whose body is the link's head and then records (protocol/http.ts).
 *
 *   batched posts ──the server said `up`, and no POST is on its way──▶ one streamed body
 *
 * Batches go at once: one in flight, the next collected meanwhile. A streamed body, where the platform can, is opened beside them and
 * takes over when the server has read its head; one that is not confirmed in time is held back on its way, and given up (S5). URL and
 * headers never change, so that they cost next to nothing. Nothing is repeated: a POST that fails ends the link (T3).
 */
import type { CloseReason } from '../protocol/close.ts'
import { paths } from '../protocol/http.ts'
import { MAX_BATCH_BYTES } from '../protocol/limits.ts'
import type { LinkKey } from '../protocol/link-key.ts'
import { writeHead } from '../protocol/link-key.ts'
import { encodeControl, encodeRecords } from '../protocol/records.ts'
import { strings } from '../strings/transports.ts'
import { bearer, refusedBy } from './opening.ts'
import { patienceMs } from './proof.ts'
import { SendQueue } from './send-queue.ts'
import { StreamedBody } from './streamed-body.ts'
import type { LinkInfo, Target } from './transport.ts'
import { TransportError } from './transport.ts'

/** For the last POST or record to be answered. */
const FAREWELL_MS = 1_000

export interface UpstreamParts {
  readonly target: Target
  readonly key: LinkKey
  /** Whether a streamed body is to be tried, where target and platform allow it. */
  readonly streams: boolean
  /** The way up broke: the link is to end. */
  readonly failed: (reason: CloseReason) => void
}

export class Upstream {
  readonly #target: Target
  readonly #head: Uint8Array<ArrayBuffer>
  readonly #failed: UpstreamParts['failed']
  readonly #queue = new SendQueue()
  readonly #abort = new AbortController()
  #posting: Promise<void> | undefined
  #streamed: StreamedBody | undefined
  #confirmed = false
  #proofTimer: ReturnType<typeof setTimeout> | undefined

  constructor({ target, key, streams, failed }: UpstreamParts) {
    this.#target = target
    this.#head = writeHead(key)
    this.#failed = failed
    if (streams && target.streamedBody !== false && target.net.canStreamBody(target.origin)) this.#tryStream()
  }

  get way(): LinkInfo['up'] {
    return this.#streamed?.begun ? 'streamed body' : 'batched posts'
  }

  send(frame: Uint8Array): Promise<void> {
    const room = this.#queue.push(frame)
    if (this.#streamed?.begun) this.#streamed.wake()
    else this.#posting ??= this.#post()
    return room
  }

  /** The server has read the streamed body's head. */
  confirm(): void {
    clearTimeout(this.#proofTimer)
    if (!this.#streamed) return
    this.#confirmed = true
    if (!this.#posting) this.#streamed.begin()
  }

  /** Tells the server why, after what it is being told. Resolves when it knows or nobody can tell it; what waits is dropped. */
  async close(reason: CloseReason): Promise<void> {
    this.#queue.clear()
    const last = encodeControl({ type: 'close', reason })
    if (this.#streamed?.begun) return this.#streamed.finish(last, FAREWELL_MS)
    this.#dropStream()
    await within(FAREWELL_MS, this.#posting)
    const body = encodeRecords([], { before: this.#head, after: last })
    await within(FAREWELL_MS, this.#request(body, true))
    this.abort()
  }

  /** Lets go of everything at once. */
  abort(): void {
    this.#queue.clear()
    this.#dropStream()
    this.#abort.abort()
  }

  #tryStream(): void {
    const { net, origin } = this.#target
    this.#streamed = new StreamedBody(this.#target, this.#head, this.#queue, (reason) =>
      this.#onStreamEnd(reason),
    )
    this.#proofTimer = setTimeout(() => this.#dropStream(), patienceMs(net.roundTripMs(origin)))
  }

  #dropStream(): void {
    clearTimeout(this.#proofTimer)
    this.#streamed?.abort()
    this.#streamed = undefined
  }

  #onStreamEnd(reason: CloseReason): void {
    const confirmed = this.#confirmed
    this.#dropStream()
    if (confirmed) this.#failed(reason)
  }

  /** Does not reject: what fails goes to `failed`. */
  async #post(): Promise<void> {
    try {
      await Promise.resolve() // frames of the same moment share a POST
      while (!this.#queue.empty && !this.#confirmed) await this.#postBatch()
      this.#posting = undefined
      if (this.#confirmed) this.#streamed?.begin()
    } catch (error) {
      if (this.#abort.signal.aborted) return
      const lost: CloseReason = { code: 'lost', detail: strings.details.postFailed(String(error)) }
      this.#failed(error instanceof TransportError ? error.reason : lost)
    }
  }

  async #postBatch(): Promise<void> {
    const frames = this.#queue.take(MAX_BATCH_BYTES - this.#head.byteLength)
    const response = await this.#request(encodeRecords(frames, { before: this.#head }), false)
    if (!response.ok) throw await refusedBy(response)
  }

  #request(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<Response> {
    const { net, origin } = this.#target
    const headers = bearer(this.#target)
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
async function within(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, late]).catch(() => {})
  clearTimeout(timer)
}
