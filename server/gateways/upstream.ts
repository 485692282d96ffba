/**
 * The server end of the way up of all HTTP transports: bodies that begin with a link's key (lib/transports/upstream.ts).
 * A body without Content-Length is a streamed one, and its link is told as soon as the key was read.
 */
import { randomBytes } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { toBase64 } from '../../lib/protocol/base64.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { FrameDecoder } from '../../lib/protocol/frames.ts'
import { KEY_BYTES, paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import type { DoorRequest } from '../access/access.ts'
import { pathOf } from '../answer.ts'
import { answerNothing, doorOf, refuse, refuseMethod } from './refusals.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'

/** A body that does not name its link by then is cut. */
const KEY_TIMEOUT_MS = 10_000
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
  /** From now on bodies that begin with `key` are the link's; until `forget`. */
  expect(uplink: Uplink): { readonly key: Uint8Array<ArrayBuffer>; forget(): void }
}

interface Entry {
  readonly uplink: Uplink
  readonly bodies: Set<Body>
}

export function upstreamGateway({ access }: GatewayParts): UpstreamGateway {
  const entries = new Map<string, Entry>()
  const bodies = new Set<Body>()

  function find(key: string, door: DoorRequest): Entry {
    const entry = entries.get(key)
    if (!entry) throw new Refusal(404, 'lost', 'There is no link of this key.')
    if (access.credentialOf(door) !== entry.uplink.credential)
      throw new Refusal(403, 'forbidden', 'This link is somebody else’s.')
    return entry
  }

  return {
    expect(uplink) {
      const key = new Uint8Array(randomBytes(KEY_BYTES))
      const entry: Entry = { uplink, bodies: new Set() }
      entries.set(toBase64(key), entry)
      return {
        key,
        forget() {
          entries.delete(toBase64(key))
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
  readonly #find: (key: string) => Entry
  readonly #announcedBytes: number | undefined
  readonly #keyTimer: NodeJS.Timeout
  readonly #key = new Uint8Array(KEY_BYTES)
  #keyBytes = 0
  #frames = 0
  #entry: Entry | undefined
  #done = false
  readonly #decoder = new FrameDecoder((frame) => {
    this.#frames += 1
    this.#entry!.uplink.receive(frame)
  })

  constructor(request: GatewayRequest, response: GatewayResponse, find: (key: string) => Entry) {
    this.#request = request
    this.#response = response
    this.#find = find
    const length = request.headers['content-length']
    this.#announcedBytes = length === undefined ? undefined : Number(length)
    this.#keyTimer = setTimeout(() => this.cut(), KEY_TIMEOUT_MS).unref()
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
    const rest = this.#entry ? chunk : this.#takeKey(chunk)
    if (this.#entry && rest.byteLength > 0) this.#decoder.push(rest)
  }

  #takeKey(chunk: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    const part = chunk.subarray(0, KEY_BYTES - this.#keyBytes)
    this.#key.set(part, this.#keyBytes)
    this.#keyBytes += part.byteLength
    if (this.#keyBytes === KEY_BYTES) this.#attach(this.#find(toBase64(this.#key)))
    return chunk.subarray(part.byteLength)
  }

  #attach(entry: Entry): void {
    clearTimeout(this.#keyTimer)
    this.#entry = entry
    entry.bodies.add(this)
    if (this.#announcedBytes === undefined) return entry.uplink.streamed(true)
    if (this.#announcedBytes <= MAX_BATCH_BYTES) return
    const detail = `A body of ${this.#announcedBytes} bytes is over the limit of ${MAX_BATCH_BYTES} bytes (MAX_BATCH_BYTES).`
    throw new ProtocolError('too-large', detail)
  }

  #complete(): void {
    if (!this.#entry)
      throw new Refusal(
        400,
        'bad-frame',
        `The body ends within its first ${KEY_BYTES} bytes, the link's key.`,
      )
    if (this.#decoder.midFrame) throw new ProtocolError('bad-frame', 'The body ends within a frame.')
    this.#finish()
    answerNothing(this.#response)
  }

  #refuseFrame({ reason, message }: ProtocolError): void {
    const { uplink } = this.#entry!
    this.#refuse({ status: reason.code === 'too-large' ? 413 : 400, code: reason.code, message })
    uplink.fail(reason)
  }

  #refuse(refusal: { status: number; code: string; message: string }): void {
    this.#finish()
    refuse(this.#response, refusal)
    this.#discard()
  }

  /** The client broke off. What it had begun to send ends the link (T2); a streamed body not yet used was a mere attempt. */
  #broken(): void {
    if (this.#done) return
    const begun = this.#frames > 0 || this.#decoder.midFrame || this.#announcedBytes !== undefined
    if (begun) this.#entry?.uplink.fail({ code: 'lost', detail: 'An upload broke off.' })
    this.#finish()
  }

  #finish(): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#keyTimer)
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
