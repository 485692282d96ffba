/** The downstream as one long response, for sse and stream alike. They differ in how a frame is written. */
import type { Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { SENT, LinkEnd, type LinkDriver } from '../../lib/transports/link.ts'
import type { LinkInfo, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import { TurnCork } from './write-cork.ts'
import type { LinkAcceptor } from './gateway.ts'
import type { GatewayResponse } from './gateway-request.ts'
import type { HttpLink, HttpLinks } from './http-links.ts'
import { destroyUnlessClosed } from '../timeouts.ts'

/** An ended response whose reader takes nothing more is cut after this time. */
const CLOSE_TIMEOUT_MS = 5_000

type Chunk = Uint8Array | string

export interface DownstreamFormat {
  readonly transport: TransportId
  readonly contentType: string
  /** Written before all frames and at once, since some proxies wait for a body's first byte. */
  encodeOpening(key: LinkKey): Chunk
  /** A string has one byte for each character. */
  encodeFrame(frame: Uint8Array): Chunk
  readonly streamedBodyNotice: Chunk
  encodeClose(reason: CloseReason): Chunk
}

/** A link from its admission to its close. Its streamed body may come before its downstream is open. */
export class DownstreamLink implements HttpLink {
  readonly principal: Principal
  readonly key: LinkKey
  readonly #links: HttpLinks
  readonly #format: DownstreamFormat
  #driver: DownstreamLinkDriver | undefined
  #hasStreamedBody = false

  constructor(principal: Principal, links: HttpLinks, format: DownstreamFormat) {
    this.principal = principal
    this.#links = links
    this.#format = format
    this.key = links.add(this)
  }

  get credential(): string {
    return this.principal.credential
  }

  get closed(): boolean {
    return this.#driver?.link.closed ?? false
  }

  open(response: GatewayResponse): LinkEnd {
    this.#driver = new DownstreamLinkDriver(response, this.#format, this.key, () => this.forget())
    this.#driver.setStreamedBody(this.#hasStreamedBody)
    return this.#driver.link
  }

  forget(): void {
    this.#links.forget(this.key)
  }

  receive(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.#driver) throw new ProtocolError('bad-frame', serverRefusalsStrings.link.earlyFrame)
    this.#driver.link.receive(frame)
  }

  setStreamedBody(attached: boolean): void {
    this.#hasStreamedBody = attached
    this.#driver?.setStreamedBody(attached)
  }

  onEnded(reason: CloseReason): void {
    if (this.#driver) this.#driver.link.onEnded(reason)
    else this.forget()
  }

  fail(reason: CloseReason): void {
    if (this.#driver) this.#driver.link.close(reason)
    else this.forget()
  }
}

/** The responses that one gateway holds open. */
export class OpenDownstreams {
  readonly #sessions: LinkAcceptor
  readonly #responses = new Set<Writable>()

  constructor(sessions: LinkAcceptor) {
    this.#sessions = sessions
  }

  open(link: DownstreamLink, response: GatewayResponse): void {
    const out: Writable = response
    this.#responses.add(out)
    out.once('close', () => this.#responses.delete(out))
    const end = link.open(response)
    end.attach(this.#sessions.accept(end, link.principal))
  }

  cutAll(): void {
    for (const response of this.#responses) response.destroy()
  }
}

class DownstreamLinkDriver implements LinkDriver {
  readonly link = new LinkEnd(this)
  readonly #format: DownstreamFormat
  /** The stream below the response: with HTTP/2 that stream itself, which can be corked. */
  readonly #output: Writable
  readonly #cork: TurnCork
  readonly #protocol: string
  readonly #onEnd: () => void
  #upMode: LinkInfo['up'] = 'batched posts'
  #draining: Promise<void> | undefined

  constructor(response: GatewayResponse, format: DownstreamFormat, key: LinkKey, onEnd: () => void) {
    const { out, cork, protocol } = startResponse(response, format.contentType)
    this.#format = format
    this.#output = out
    this.#cork = new TurnCork(cork)
    this.#protocol = protocol
    this.#onEnd = onEnd
    this.#write(format.encodeOpening(key))
    out.on('error', () => {})
    out.once('close', () =>
      this.link.onEnded({ code: 'lost', detail: serverRefusalsStrings.link.downlinkCut }),
    )
  }

  get info(): LinkInfo {
    return { transport: this.#format.transport, protocol: this.#protocol, up: this.#upMode }
  }

  setStreamedBody(attached: boolean): void {
    this.#upMode = attached ? 'streamed body' : 'batched posts'
    if (attached && !this.link.closed) this.#write(this.#format.streamedBodyNotice)
  }

  write(frame: Uint8Array): Promise<void> {
    this.#cork.beforeWrite()
    return this.#write(this.#format.encodeFrame(frame)) ? SENT : (this.#draining ??= this.#waitForDrain())
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#onEnd()
    if (this.#output.destroyed) return
    this.#output.end(side === 'here' ? this.#format.encodeClose(reason) : undefined)
    destroyUnlessClosed(this.#output, CLOSE_TIMEOUT_MS)
  }

  #write(chunk: Chunk): boolean {
    return typeof chunk === 'string' ? this.#output.write(chunk, 'latin1') : this.#output.write(chunk)
  }

  #waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#output.off('drain', done).off('close', done)
        this.#draining = undefined
        resolve()
      }
      this.#output.on('drain', done).on('close', done)
    })
  }
}

/** Sends the headers at once. */
function startResponse(
  response: GatewayResponse,
  contentType: string,
): { out: Writable; cork: Writable; protocol: string } {
  response.setHeader('content-type', contentType)
  response.setHeader('cache-control', 'no-store, no-transform')
  // Without this, nginx would hold back the response until its buffer is full.
  response.setHeader('x-accel-buffering', 'no')
  if ('stream' in response) {
    response.writeHead(200)
    return { out: response.stream, cork: response.stream, protocol: 'h2' }
  }
  response.flushHeaders()
  // The response itself cannot be corked: it would then emit no `drain`.
  return { out: response, cork: response.socket ?? response, protocol: 'http/1.1' }
}
