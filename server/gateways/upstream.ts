/**
 * The server end of the way up of all HTTP transports: bodies that begin with a link's head (lib/transports/upstream.ts).
 * A body without Content-Length is a streamed one, and its link is told as soon as the head was read.
 */
import type { Readable, Writable } from 'node:stream'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { HeadReader, type LinkKey } from '../../lib/protocol/link-key.ts'
import { RecordDecoder } from '../../lib/protocol/records.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import { pathOf } from '../answer.ts'
import type { Gateway, GatewayParts, GatewayRequest, GatewayResponse } from './gateway.ts'
import type { HttpLinks, Known, Upload } from './http-links.ts'
import {
  answerNothing,
  discard,
  doorOf,
  foreignOrigin,
  refuse,
  Refusal,
  type Refused,
  refusedFor,
  refuseMethod,
} from './refusals.ts'

/** A body that does not name its link by then is cut. */
const HEAD_TIMEOUT_MS = 10_000

export function upstreamGateway({ access }: GatewayParts, links: HttpLinks): Gateway {
  const bodies = new Set<Body>()
  return {
    handleRequest(request, response, secure) {
      if (pathOf(request) !== paths.up) return false
      const door = doorOf(request, secure)
      if (request.method !== 'POST') refuseMethod(response, 'POST')
      else if (!access.originAllowed(door)) refuse(response, foreignOrigin)
      else {
        const body = new Body(request, response, (key) => links.find(key, door))
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

/** One request's body, from its first byte to its end. */
class Body implements Upload {
  readonly #request: Readable
  readonly #response: GatewayResponse
  readonly #find: (key: LinkKey) => Known
  readonly #announcedBytes: number | undefined
  readonly #headTimer: NodeJS.Timeout
  readonly #head = new HeadReader()
  #frames = 0
  #of: Known | undefined
  #done = false
  readonly #decoder = new RecordDecoder({
    onFrame: (frame) => {
      this.#frames += 1
      this.#of!.link.receive(frame)
    },
    onControl: (control) => {
      if (control.type !== 'close') return
      this.#of!.link.ended(control.reason)
      this.cut()
    },
  })

  constructor(request: GatewayRequest, response: GatewayResponse, find: (key: LinkKey) => Known) {
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
    discard(this.#request)
  }

  #attempt(step: () => void): void {
    if (this.#done) return
    try {
      step()
    } catch (error) {
      if (error instanceof Refusal) this.#refuse(error)
      else if (error instanceof ProtocolError) this.#refuseRecord(error)
      else throw error
    }
  }

  #take(chunk: Buffer<ArrayBuffer>): void {
    if (this.#of) return this.#decoder.push(chunk)
    const head = this.#head.push(chunk)
    if (!head) return
    this.#attach(this.#find(head.key))
    if (head.rest.byteLength > 0) this.#decoder.push(head.rest)
  }

  #attach(of: Known): void {
    clearTimeout(this.#headTimer)
    if (of.link.closed) throw new Refusal(404, 'lost', strings.door.linkEnded)
    this.#of = of
    of.uploads.add(this)
    if (this.#announcedBytes === undefined) return of.link.streamed(true)
    if (this.#announcedBytes <= MAX_BATCH_BYTES) return
    throw new ProtocolError('too-large', strings.door.batchTooLarge(this.#announcedBytes, MAX_BATCH_BYTES))
  }

  #complete(): void {
    if (!this.#of) throw new Refusal(400, 'bad-frame', strings.door.bodyWithinHead)
    if (this.#decoder.midRecord) throw new ProtocolError('bad-frame', strings.door.bodyWithinRecord)
    this.#finish()
    answerNothing(this.#response)
  }

  #refuseRecord(error: ProtocolError): void {
    const { link } = this.#of ?? {}
    this.#refuse(refusedFor(error))
    link?.fail(error.reason)
  }

  #refuse(refusal: Refused): void {
    this.#finish()
    refuse(this.#response, refusal)
    discard(this.#request)
  }

  /** The client broke off. What it had begun to send ends the link (T2); a streamed body not yet used was a mere attempt. */
  #broken(): void {
    if (this.#done) return
    const begun = this.#frames > 0 || this.#decoder.midRecord || this.#announcedBytes !== undefined
    if (begun) this.#of?.link.fail({ code: 'lost', detail: strings.link.uploadBrokeOff })
    this.#finish()
  }

  #finish(): void {
    if (this.#done) return
    this.#done = true
    clearTimeout(this.#headTimer)
    this.#of?.uploads.delete(this)
    if (this.#announcedBytes === undefined) this.#of?.link.streamed(false)
  }
}
