/** The way down as one long answer: what sse and stream share. They differ in how a frame is written. */
import type { Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { HANDED, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { TurnCork } from './cork.ts'
import type { GatewayResponse } from './gateway.ts'
import type { HttpLink, HttpLinks } from './http-links.ts'

/** A closed answer whose reader takes nothing more is cut then. */
const CLOSE_TIMEOUT_MS = 5_000

type Chunk = Uint8Array | string

export interface DownFormat {
  readonly transport: TransportId
  readonly contentType: string
  /** Before all frames, at once: proxies that wait for a body's first byte get one. */
  opening(key: LinkKey): Chunk
  /** A string of one byte a character, where it is one. */
  frame(frame: Uint8Array): Chunk
  readonly up: Chunk
  close(reason: CloseReason): Chunk
}

/** From its admission to its close. Its streamed body may come before its way down is open. */
export class DownLink implements HttpLink {
  readonly principal: Principal
  readonly key: LinkKey
  readonly #links: HttpLinks
  readonly #format: DownFormat
  #wire: DownWire | undefined
  #streamed = false

  constructor(principal: Principal, links: HttpLinks, format: DownFormat) {
    this.principal = principal
    this.#links = links
    this.#format = format
    this.key = links.add(this)
  }

  get credential(): string {
    return this.principal.credential
  }

  get closed(): boolean {
    return this.#wire?.link.closed ?? false
  }

  open(response: GatewayResponse): LinkEnd {
    this.#wire = new DownWire(response, this.#format, this.key, () => this.forget())
    this.#wire.streamed(this.#streamed)
    return this.#wire.link
  }

  forget(): void {
    this.#links.forget(this.key)
  }

  receive(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.#wire) throw new ProtocolError('bad-frame', strings.link.earlyFrame)
    this.#wire.link.receive(frame)
  }

  streamed(attached: boolean): void {
    this.#streamed = attached
    this.#wire?.streamed(attached)
  }

  ended(reason: CloseReason): void {
    if (this.#wire) this.#wire.link.ended(reason)
    else this.forget()
  }

  fail(reason: CloseReason): void {
    if (this.#wire) this.#wire.link.close(reason)
    else this.forget()
  }
}

class DownWire implements Wire {
  readonly link = new LinkEnd(this)
  readonly #format: DownFormat
  /** What carries the response: with HTTP/2 the stream itself, which can be corked. */
  readonly #out: Writable
  readonly #cork: TurnCork
  readonly #protocol: string
  readonly #onEnd: () => void
  #up: LinkInfo['up'] = 'batched posts'
  #drain: Promise<void> | undefined

  constructor(response: GatewayResponse, format: DownFormat, key: LinkKey, onEnd: () => void) {
    const { out, cork, protocol } = begin(response, format.contentType)
    this.#format = format
    this.#out = out
    this.#cork = new TurnCork(cork)
    this.#protocol = protocol
    this.#onEnd = onEnd
    this.#write(format.opening(key))
    out.on('error', () => {})
    out.once('close', () => this.link.ended({ code: 'lost', detail: strings.link.downCut }))
  }

  get info(): LinkInfo {
    return { transport: this.#format.transport, protocol: this.#protocol, up: this.#up }
  }

  streamed(attached: boolean): void {
    this.#up = attached ? 'streamed body' : 'batched posts'
    if (attached && !this.link.closed) this.#write(this.#format.up)
  }

  write(frame: Uint8Array): Promise<void> {
    this.#cork.gather()
    return this.#write(this.#format.frame(frame)) ? HANDED : (this.#drain ??= this.#drained())
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#onEnd()
    if (this.#out.destroyed) return
    this.#out.end(side === 'here' ? this.#format.close(reason) : undefined)
    const timer = setTimeout(() => this.#out.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.#out.once('close', () => clearTimeout(timer))
  }

  #write(chunk: Chunk): boolean {
    return typeof chunk === 'string' ? this.#out.write(chunk, 'latin1') : this.#out.write(chunk)
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#out.off('drain', done).off('close', done)
        this.#drain = undefined
        resolve()
      }
      this.#out.on('drain', done).on('close', done)
    })
  }
}

/** Sends the headers at once. */
function begin(
  response: GatewayResponse,
  contentType: string,
): { out: Writable; cork: Writable; protocol: string } {
  response.setHeader('content-type', contentType)
  response.setHeader('cache-control', 'no-store, no-transform')
  // nginx would else collect what comes until its buffer is full.
  response.setHeader('x-accel-buffering', 'no')
  if ('stream' in response) {
    response.writeHead(200)
    return { out: response.stream, cork: response.stream, protocol: 'h2' }
  }
  response.flushHeaders()
  // Not the response itself: once corked it forgets to say when it drained.
  return { out: response, cork: response.socket ?? response, protocol: 'http/1.1' }
}
