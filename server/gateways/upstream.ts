/**
 * The server end of the way up of all HTTP transports: bodies that begin with a link's head (lib/transports/upstream.ts).
 * A body without Content-Length is a streamed one, and its link is told as soon as the head was read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { HeadReader, SECRET_BYTES, type LinkKey } from '../../lib/protocol/link-key.ts'
import { RecordDecoder } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import type { DoorRequest } from '../access/access.ts'
import { pathOf } from '../answer.ts'
import { answerNothing, doorOf, refuse, refuseMethod } from './refusals.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'

/** A body that does not name its link by then is cut. */
const HEAD_TIMEOUT_MS = 10_000
/** The client ends its upload by itself once it knows of the link's end; one that does not is cut. */
const LINGER_MS = 1_000

/** A link that takes frames from here. */
export interface Uplink {
  /** `Principal.credential` of who opened it: nobody else's body is taken (A2). */
  readonly credential: string
  /** @throws {ProtocolError} while no frame may come yet. */
  receive(frame: Uint8Array<ArrayBuffer>): void
  /** A streamed body is the link's from now on, or no longer. */
  streamed(attached: boolean): void
  /** The way up broke, or brought rubbish. */
  fail(reason: CloseReason): void
}

export interface UpstreamGateway extends Gateway {
  /** From now on bodies whose head is `key` are the link's; until `forget`. */
  expect(uplink: Uplink): { readonly key: LinkKey; forget(): void }
}

interface Entry {
  readonly secret: Uint8Array
  readonly uplink: Uplink
  readonly bodies: Set<Body>
}

export function upstreamGateway({ access, node = 'a' }: GatewayParts): UpstreamGateway {
  const entries = new Map<string, Entry>()
  const bodies = new Set<Body>()

  function find({ id, secret }: LinkKey, door: DoorRequest): Entry {
    const entry = entries.get(id)
    if (!entry) throw new Refusal(404, 'lost', 'There is no such link here.')
    if (!timingSafeEqual(secret, entry.secret))
      throw new Refusal(403, 'forbidden', 'This link is somebody else’s.')
    // An honest window meets this when its cookie was renewed: it is to come again, not to stop.
    if (access.credentialOf(door) !== entry.uplink.credential)
      throw new Refusal(403, 'lost', 'This link was opened by another credential.')
    return entry
  }

  return {
    expect(uplink) {
      const id = `${node}.${randomBytes(16).toString('base64url')}`
      const secret = new Uint8Array(randomBytes(SECRET_BYTES))
      const entry: Entry = { secret, uplink, bodies: new Set() }
      entries.set(id, entry)
      return {
        key: { id, secret },
        forget() {
          entries.delete(id)
          if (entry.bodies.size > 0)
            setTimeout(() => entry.bodies.forEach((body) => body.cut()), LINGER_MS).unref()
        },
      }
    },
    handleRequest(request, response, secure) {
      if (pathOf(request) !== paths.up) return false
      const door = doorOf(request, secure)
      if (request.method !== 'POST') refuseMethod(response, 'POST')
      else if (!access.originAllowed(door)) refuse(response, foreignOrigin)
      else {
        const body = new Body(request, response, (key) => find(key, door))
        const out: Writable = response
        bodies.add(body)
        out.once('close', () => bodies.delete(body))
      }
      return true
    },
    handleUpgrade: () => false,
    close: () => bodies.forEach((body) => body.cut()),
  }
}

const foreignOrigin = { status: 403, code: 'origin', message: 'This origin may not come in here.' } as const

class Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** One request's body, from its first byte to its end. */
class Body {
  readonly #request: Readable
  readonly #response: GatewayResponse
  readonly #find: (key: LinkKey) => Entry
  readonly #announcedBytes: number | undefined
  readonly #headTimer: NodeJS.Timeout
  readonly #head = new HeadReader()
  #frames = 0
  #entry: Entry | undefined
  #done = false
  readonly #decoder = new RecordDecoder({
    onFrame: (frame) => {
      this.#frames += 1
      this.#entry!.uplink.receive(frame)
    },
    onControl: () => {},
  })

  constructor(request: GatewayRequest, response: GatewayResponse, find: (key: LinkKey) => Entry) {
    this.#request = request
    this.#response = response
    this.#find = find
    const length = request.headers['content-length']
    this.#announcedBytes = length === undefined ? undefined : Number(length)
    this.#headTimer = setTimeout(() => this.cut(), HEAD_TIMEOUT_MS).unref()
    this.#request.on('data', (chunk: Buffer<ArrayBuffer>) => this.#attempt(() => this.#take(chunk)))
    this.#request.on('end', () => this.#attempt(() => this.#complete()))
    this.#request.on('error', () => this.#broken())
    this.#request.on('aborted', () => this.#broken())
    const out: Writable = response
    out.on('close', () => this.#broken())
  }

  /** Ends it, whatever is still to come. */
  cut(): void {
    this.#finish()
    answerNothing(this.#response)
    this.#discard()
  }

  #attempt(step: () => void): void {
    if (this.#done) return
    try {
      step()
    } catch (error) {
      if (error instanceof Refusal) this.#refuse(error)
      else if (error instanceof ProtocolError) this.#refuseFrame(error)
      else throw error
    }
  }

  #take(chunk: Buffer<ArrayBuffer>): void {
    if (this.#entry) return this.#decoder.push(chunk)
    const head = this.#head.push(chunk)
    if (!head) return
    this.#attach(this.#find(head.key))
    if (head.rest.byteLength > 0) this.#decoder.push(head.rest)
  }

  #attach(entry: Entry): void {
    clearTimeout(this.#headTimer)
    this.#entry = entry
    entry.bodies.add(this)
    if (this.#announcedBytes === undefined) return entry.uplink.streamed(true)
    if (this.#announcedBytes <= MAX_BATCH_BYTES) return
    const detail = `A body of ${this.#announcedBytes} bytes is over the limit of ${MAX_BATCH_BYTES} bytes (MAX_BATCH_BYTES).`
    throw new ProtocolError('too-large', detail)
  }

  #complete(): void {
    if (!this.#entry)
      throw new Refusal(400, 'bad-frame', 'The body ends within its head, which names the link.')
    if (this.#decoder.midRecord) throw new ProtocolError('bad-frame', 'The body ends within a record.')
    this.#finish()
    answerNothing(this.#response)
  }

  #refuseFrame({ reason, message }: ProtocolError): void {
    const entry = this.#entry
    this.#refuse({ status: reason.code === 'too-large' ? 413 : 400, code: reason.code, message })
    entry?.uplink.fail(reason)
  }

  #refuse(refusal: { status: number; code: string; message: string }): void {
    this.#finish()
    refuse(this.#response, refusal)
    this.#discard()
  }

  /** The client broke off. What it had begun to send ends the link (T2); a streamed body not yet used was a mere attempt. */
  #broken(): void {
    if (this.#done) return
    const begun = this.#frames > 0 || this.#decoder.midRecord || this.#announcedBytes !== undefined
    if (begun) this.#entry?.uplink.fail({ code: 'lost', detail: 'An upload broke off.' })
    this.#finish()
  }

  #finish(): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#headTimer)
    this.#entry?.bodies.delete(this)
    if (this.#announcedBytes === undefined) this.#entry?.uplink.streamed(false)
  }

  /** Lets the answer reach a client that is still sending, and then cuts it. */
  #discard(): void {
    if (this.#request.readableEnded) return
    this.#request.resume()
    const timer = setTimeout(() => this.#request.destroy(), LINGER_MS).unref()
    this.#request.once('close', () => clearTimeout(timer))
  }
}
