/**
 * The way up of all HTTP transports: POSTs whose body is the link's head and then records (protocol/http.ts). Two ways:
 *
 *   one streamed body   the head goes first; the server says `up` on the way down once it has read it: only then is it proven
 *   batched posts       one in flight, the next batch collected meanwhile
 *
 * URL and headers never change, so that they cost next to nothing. Nothing is repeated: a POST that fails ends the link (T3).
 */
import type { CloseReason } from '../protocol/close.ts'
import { paths } from '../protocol/http.ts'
import { MAX_BATCH_BYTES } from '../protocol/limits.ts'
import { encodeRecords, recordBytes } from '../protocol/records.ts'
import { HANDED, HIGH_WATER_BYTES } from './link.ts'
import { bearer, refusedBy } from './opening.ts'
import type { LinkInfo, Target } from './transport.ts'
import { TransportError } from './transport.ts'

export interface Upstream {
  readonly way: LinkInfo['up']
  send(frame: Uint8Array): Promise<void>
  close(): void
}

export interface UpstreamParts {
  readonly target: Target
  /** Names the link at the beginning of each body. */
  readonly head: Uint8Array<ArrayBuffer>
  /** The way up broke: the link is to end. */
  readonly failed: (reason: CloseReason) => void
}

/** Frames on their way out, and the promise of room for more. */
class Queue {
  #frames: Uint8Array[] = []
  #bytes = 0
  #room: PromiseWithResolvers<void> | undefined

  get empty(): boolean {
    return this.#frames.length === 0
  }

  push(frame: Uint8Array): Promise<void> {
    this.#frames.push(frame)
    this.#bytes += recordBytes(frame)
    return this.#bytes > HIGH_WATER_BYTES ? (this.#room ??= Promise.withResolvers()).promise : HANDED
  }

  /** As many of the oldest as fit into `limit` bytes, at least one. */
  take(limit: number): Uint8Array[] {
    let count = 0
    let bytes = 0
    for (const frame of this.#frames) {
      const more = recordBytes(frame)
      if (count > 0 && bytes + more > limit) break
      bytes += more
      count += 1
    }
    this.#bytes -= bytes
    if (this.#bytes <= HIGH_WATER_BYTES) this.#makeRoom()
    return this.#frames.splice(0, count)
  }

  clear(): void {
    this.#frames = []
    this.#bytes = 0
    this.#makeRoom()
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}

/** For the last frames to leave, and the server's answer to come. */
const END_MS = 1_000

export class StreamedBody implements Upstream {
  readonly way = 'streamed body'
  /** True once `confirm` was called, false when the fetch ended before it. */
  readonly proven: Promise<boolean>
  readonly #settle: (proven: boolean) => void
  readonly #queue = new Queue()
  readonly #abort = new AbortController()
  readonly #failed: UpstreamParts['failed']
  #waiting: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined
  #closed = false
  #confirmed = false

  constructor({ target, head, failed }: UpstreamParts) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.proven = promise
    this.#settle = resolve
    this.#failed = failed
    const body = new ReadableStream(
      {
        start: (controller) => controller.enqueue(head),
        pull: (controller) => this.#pull(controller),
        cancel: () => void (this.#waiting = undefined),
      },
      { highWaterMark: 0 },
    )
    const { signal } = this.#abort
    const sent = target.net.fetch(target.origin + paths.up, {
      method: 'POST',
      headers: bearer(target),
      body,
      signal,
    })
    void sent.then(
      (response) => this.#ended(response),
      (error: unknown) =>
        this.#fail({ code: 'lost', detail: `The streamed upload broke off: ${String(error)}` }),
    )
  }

  confirm(): void {
    this.#confirmed = true
    this.#settle(true)
  }

  send(frame: Uint8Array): Promise<void> {
    const room = this.#queue.push(frame)
    if (this.#waiting) this.#pull(this.#waiting)
    return room
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#settle(false)
    this.#queue.clear()
    // Never `controller.close()`: where the connection is dead, Chromium 156's network service crashes on a body that ended
    // (at its HTTP/2 ping's failure), and takes every request and unsaved cookie of the browser along. An abort is safe.
    // The server ends the request as soon as it hears of the close, so what was sent before arrives.
    if (this.#confirmed && this.#waiting) setTimeout(() => this.#abort.abort(), END_MS)
    else this.#abort.abort()
  }

  #pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    this.#waiting = this.#queue.empty ? controller : undefined
    if (!this.#waiting) controller.enqueue(encodeRecords(this.#queue.take(HIGH_WATER_BYTES)))
  }

  async #ended(response: Response): Promise<void> {
    const { reason } = await refusedBy(response)
    this.#fail(response.ok ? { code: 'lost', detail: 'The server ended the streamed upload.' } : reason)
  }

  #fail(reason: CloseReason): void {
    this.#settle(false)
    if (!this.#closed && this.#confirmed) this.#failed(reason)
  }
}

export class BatchedPosts implements Upstream {
  readonly way = 'batched posts'
  readonly #parts: UpstreamParts
  readonly #queue = new Queue()
  readonly #abort = new AbortController()
  #posting = false

  constructor(parts: UpstreamParts) {
    this.#parts = parts
  }

  send(frame: Uint8Array): Promise<void> {
    const room = this.#queue.push(frame)
    if (!this.#posting) {
      this.#posting = true
      // Frames of the same moment share a POST.
      queueMicrotask(() => void this.#post())
    }
    return room
  }

  close(): void {
    this.#queue.clear()
    this.#abort.abort()
  }

  /** Does not reject: what fails goes to `failed`. */
  async #post(): Promise<void> {
    try {
      while (!this.#queue.empty) await this.#postBatch()
      this.#posting = false
    } catch (error) {
      if (this.#abort.signal.aborted) return
      const lost: CloseReason = { code: 'lost', detail: `A POST failed: ${String(error)}` }
      this.#parts.failed(error instanceof TransportError ? error.reason : lost)
    }
  }

  async #postBatch(): Promise<void> {
    const { target, head } = this.#parts
    const response = await target.net.fetch(target.origin + paths.up, {
      method: 'POST',
      headers: bearer(target),
      body: encodeRecords(this.#queue.take(MAX_BATCH_BYTES - head.byteLength), { before: head }),
      signal: this.#abort.signal,
    })
    if (!response.ok) throw await refusedBy(response)
  }
}
