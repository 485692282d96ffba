/** The server end of server-sent events: a ticket, then a stream of base64 frames. The way up is upstream.ts. */
import type { Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { paths, upEvent, writeCloseEvent, writeFrameEvent, writePass } from '../../lib/protocol/http.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { HANDED, LinkEnd, type Wire } from '../../lib/transports/link.ts'
import type { LinkInfo } from '../../lib/transports/transport.ts'
import { isRefusal } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { answerJson, isGone, pathOf } from '../answer.ts'
import { TurnCork } from './cork.ts'
import { doorOf, drainingRefusal, failedRefusal, queryOf, refuse, refuseMethod } from './refusals.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import { Tickets } from './tickets.ts'
import type { Uplink, UpstreamGateway } from './upstream.ts'

/** A closed stream whose reader takes nothing more is cut then. */
const CLOSE_TIMEOUT_MS = 5_000

const badTicket = {
  status: 403,
  code: 'ticket',
  message: 'This ticket is unknown, used, expired or somebody else’s.',
}

interface Door {
  readonly method: string
  run(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void>
}

export interface SseOptions {
  readonly ticketLifeMs?: number
}

export function sseGateway(
  parts: GatewayParts,
  upstream: UpstreamGateway,
  options: SseOptions = {},
): Gateway {
  const { access, sessions, log } = parts
  const tickets = new Tickets<SseLink>((link) => link.forget(), options.ticketLifeMs)
  const streams = new Set<Writable>()

  async function issue(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    if (sessions.draining) return refuse(response, drainingRefusal)
    if (tickets.full)
      return refuse(response, { status: 503, code: 'overloaded', message: 'Too many tickets are out.' })
    const principal = await access.admit(doorOf(request, secure))
    if (isRefusal(principal)) return refuse(response, principal)
    const link = new SseLink(principal, upstream)
    answerJson(response, 201, writePass({ ticket: tickets.issue(link), key: link.key }))
  }

  async function stream(request: GatewayRequest, response: GatewayResponse, secure: boolean): Promise<void> {
    const link = tickets.take(queryOf(request).get('ticket') ?? '')
    if (!link) return refuse(response, badTicket)
    const principal = await access.admit(doorOf(request, secure), { ticketed: true })
    if (isRefusal(principal) || principal.credential !== link.credential) {
      link.forget()
      return refuse(response, badTicket)
    }
    if (isGone(response)) return link.forget()
    const out: Writable = response
    streams.add(out)
    out.once('close', () => streams.delete(out))
    const end = link.open(response)
    end.attach(sessions.accept(end, link.principal))
  }

  function answer(door: Door, request: GatewayRequest, response: GatewayResponse, secure: boolean): void {
    if (request.method !== door.method) return refuseMethod(response, door.method)
    request.resume()
    door.run(request, response, secure).catch((error: unknown) => {
      log.error({ err: error }, 'a stream of events could not be admitted')
      refuse(response, failedRefusal)
    })
  }

  const doors = new Map<string | null, Door>([
    [paths.sseTicket, { method: 'POST', run: issue }],
    [paths.sse, { method: 'GET', run: stream }],
  ])

  return {
    handleRequest(request, response, secure) {
      const door = doors.get(pathOf(request))
      if (door) answer(door, request, response, secure)
      return door !== undefined
    },
    handleUpgrade: () => false,
    close() {
      tickets.expireAll()
      for (const out of streams) out.destroy()
    },
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  // nginx would else collect the events until its buffer is full.
  'x-accel-buffering': 'no',
}

/** From its ticket to its close. Its streamed body may come before its stream of events is open. */
class SseLink implements Uplink {
  readonly principal: Principal
  readonly #expected: ReturnType<UpstreamGateway['expect']>
  #wire: EventsWire | undefined
  #streamed = false

  constructor(principal: Principal, upstream: UpstreamGateway) {
    this.principal = principal
    this.#expected = upstream.expect(this)
  }

  get key(): LinkKey {
    return this.#expected.key
  }

  get credential(): string {
    return this.principal.credential
  }

  open(response: GatewayResponse): LinkEnd {
    this.#wire = new EventsWire(response, () => this.forget())
    this.#wire.streamed(this.#streamed)
    return this.#wire.link
  }

  forget(): void {
    this.#expected.forget()
  }

  receive(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.#wire)
      throw new ProtocolError('bad-frame', 'A frame came before the stream of events was open.')
    this.#wire.link.receive(frame)
  }

  streamed(attached: boolean): void {
    this.#streamed = attached
    this.#wire?.streamed(attached)
  }

  fail(reason: CloseReason): void {
    if (this.#wire) this.#wire.link.close(reason)
    else this.forget()
  }
}

class EventsWire implements Wire {
  readonly link = new LinkEnd(this)
  /** What carries the response: with HTTP/2 the stream itself, which can be corked. */
  readonly #out: Writable
  readonly #cork: TurnCork
  readonly #protocol: string
  readonly #onEnd: () => void
  #up: LinkInfo['up'] = 'batched posts'
  #drain: Promise<void> | undefined

  constructor(response: GatewayResponse, onEnd: () => void) {
    const { out, cork, protocol } = begin(response)
    // Proxies that wait for a body's first byte get one.
    out.write(':\n\n')
    this.#out = out
    this.#cork = new TurnCork(cork)
    this.#protocol = protocol
    this.#onEnd = onEnd
    out.on('error', () => {})
    out.once('close', () => this.link.ended({ code: 'lost', detail: 'The stream of events was cut.' }))
  }

  get info(): LinkInfo {
    return { transport: 'sse', protocol: this.#protocol, up: this.#up }
  }

  streamed(attached: boolean): void {
    this.#up = attached ? 'streamed body' : 'batched posts'
    if (attached && !this.link.closed) this.#out.write(upEvent, 'latin1')
  }

  write(frame: Uint8Array): Promise<void> {
    this.#cork.gather()
    const more = this.#out.write(writeFrameEvent(frame), 'latin1')
    return more ? HANDED : (this.#drain ??= this.#drained())
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#onEnd()
    if (side === 'there') return
    this.#out.end(writeCloseEvent(reason))
    const timer = setTimeout(() => this.#out.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.#out.once('close', () => clearTimeout(timer))
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
function begin(response: GatewayResponse): { out: Writable; cork: Writable; protocol: string } {
  for (const [name, value] of Object.entries(streamHeaders)) response.setHeader(name, value)
  if ('stream' in response) {
    response.writeHead(200)
    return { out: response.stream, cork: response.stream, protocol: 'h2' }
  }
  response.flushHeaders()
  // Not the response itself: once corked it forgets to say when it drained.
  return { out: response, cork: response.socket ?? response, protocol: 'http/1.1' }
}
