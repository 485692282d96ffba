/**
 * Server-sent events down, fetch up.
 *
 *   POST ticket ──▶ EventSource ──open──▶ (streamed body proven, or 2 s) ──▶ link
 *                └▶ streamed body, where the platform can
 *
 * The EventSource is closed at its first error: left alone it would try again, and that is the session's to decide (T3).
 */
import type { CloseReason } from '../protocol/close.ts'
import type { Pass } from '../protocol/http.ts'
import {
  EVENT_CLOSE,
  EVENT_UP,
  paths,
  readCloseEvent,
  readFrameEvent,
  readPass,
  readRefusal,
} from '../protocol/http.ts'
import { writeHead } from '../protocol/link-key.ts'
import { LinkEnd, type Wire } from './link.ts'
import type { EventSourceFailure, EventSourceLike } from './net/net.ts'
import { bearer, givenUp, openingError, refusedBy } from './opening.ts'
import type { Link, LinkInfo, Sink, Target, Transport } from './transport.ts'
import { TransportError } from './transport.ts'
import { BatchedPosts, StreamedBody, type Upstream, type UpstreamParts } from './upstream.ts'

/** A streamed body that is not confirmed by then is held back on its way, as by a buffering proxy (S5). */
const STREAM_PROOF_MS = 2_000

export const sse: Transport = {
  id: 'sse',
  // Full duplex by a streamed body alone, which is known only once a link is open: LinkInfo.up.
  capabilities: { fullDuplex: false, downFactor: 4 / 3 },
  async open(target, sink, signal) {
    if (signal.aborted) throw givenUp(signal)
    try {
      const pass = await requestPass(target, signal)
      return await new Attempt(target, pass).open(sink, signal)
    } catch (error) {
      throw openingError(error, signal)
    }
  },
}

async function requestPass(target: Target, signal: AbortSignal): Promise<Pass> {
  const init = { method: 'POST', headers: bearer(target), signal } as const
  const response = await target.net.fetch(target.origin + paths.sseTicket, init)
  if (response.status !== 201) throw await refusedBy(response)
  const pass = readPass(await response.text())
  if (!pass)
    throw new TransportError({ code: 'refused', detail: 'The answer of the ticket door is not a ticket.' })
  return pass
}

class Attempt implements Wire {
  info: LinkInfo = { transport: 'sse', protocol: '', up: 'batched posts' }
  readonly #target: Target
  readonly #source: EventSourceLike
  readonly #link = new LinkEnd(this)
  readonly #failure = Promise.withResolvers<never>()
  readonly #head: Uint8Array<ArrayBuffer>
  #streamed: StreamedBody | undefined
  #up: Upstream | undefined

  constructor(target: Target, { ticket, key }: Pass) {
    this.#target = target
    this.#head = writeHead(key)
    this.#failure.promise.catch(() => {})
    this.#source = target.net.eventSource(`${target.origin}${paths.sse}?ticket=${ticket}`, bearer(target))
    if (target.streamedBody !== false && target.net.canStreamBody(target.origin))
      this.#streamed = new StreamedBody(this.#upstreamParts())
    this.#listen()
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const onAbort = (): void => this.#link.ended(givenUp(signal).reason)
    signal.addEventListener('abort', onAbort)
    try {
      if (signal.aborted) onAbort()
      await Promise.race([this.#opened(), this.#failure.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    // It may have ended between the last event and this line.
    if (this.#link.closed) await this.#failure.promise
    this.#link.attach(sink)
    return this.#link
  }

  write(frame: Uint8Array): Promise<void> {
    return this.#up!.send(frame)
  }

  /** EventSource cannot tell the server why: it sees a lost stream. */
  end(reason: CloseReason): void {
    this.#source.close()
    this.#streamed?.close()
    this.#up?.close()
    this.#failure.reject(new TransportError(reason))
  }

  #upstreamParts(): UpstreamParts {
    return { target: this.#target, head: this.#head, failed: (reason) => this.#link.ended(reason) }
  }

  async #opened(): Promise<void> {
    await new Promise<void>((resolve) => this.#source.addEventListener('open', () => resolve()))
    this.#up = (await this.#provenStream()) ?? new BatchedPosts(this.#upstreamParts())
    const protocol = this.#target.net.protocolOf(this.#target.origin + paths.sseTicket)
    this.info = { transport: 'sse', protocol, up: this.#up.way }
  }

  async #provenStream(): Promise<StreamedBody | undefined> {
    const streamed = this.#streamed
    if (!streamed) return undefined
    const timer = setTimeout(() => streamed.close(), STREAM_PROOF_MS)
    const proven = await streamed.proven
    clearTimeout(timer)
    return proven ? streamed : undefined
  }

  #listen(): void {
    this.#source.addEventListener('message', ({ data }) => this.#receive(String(data)))
    this.#source.addEventListener(EVENT_UP, () => this.#streamed?.confirm())
    this.#source.addEventListener(EVENT_CLOSE, ({ data }) => this.#link.ended(readCloseEvent(String(data))))
    this.#source.addEventListener('error', (event) => this.#link.ended(this.#failureOf(event)))
  }

  #receive(data: string): void {
    let frame: Uint8Array<ArrayBuffer>
    try {
      frame = readFrameEvent(data)
    } catch (error) {
      return this.#link.close({ code: 'bad-frame', detail: String(error) })
    }
    // Outside: what a listener of the document throws is not the link's fault.
    this.#link.receive(frame)
  }

  /** Node tells status and message; browsers tell nothing. */
  #failureOf({ code, message = 'The stream of events ended.' }: EventSourceFailure): CloseReason {
    if (this.#up) return { code: 'lost', detail: message }
    return { ...(code ? readRefusal(code, '', null) : { code: 'refused' }), detail: message }
  }
}
