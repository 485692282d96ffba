/**
 * The server end of the upstream of all HTTP transports: bodies that begin with a link's head (lib/transports/upstream.ts). A body
 * without Content-Length is a streamed one, and its link is notified as soon as the head was read.
 */
import type { Readable, Writable } from 'node:stream'
import { paths } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'
import { LinkHeadReader, type LinkKey } from '../../lib/protocol/link-key.ts'
import { RecordDecoder } from '../../lib/protocol/record-decoder.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Exchange, Gateway } from './gateway.ts'
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts'
import type { HttpLinks, RegisteredLink, Upload } from './http-links.ts'
import {
  answerNoContent,
  discardBody,
  refuseRequest,
  HttpRefusalError,
  type HttpRefusal,
  httpRefusalOf,
} from './http-refusals.ts'
import { startTimeout } from '../timeouts.ts'

/** A body that does not name its link by then is cut. */
const HEAD_TIMEOUT_MS = 10_000

export function createUpstreamGateway(links: HttpLinks): Gateway {
  const bodies = new Set<UploadBody>()

  function handle(exchange: Exchange): void {
    const { request, response, accessRequest } = exchange
    const body = new UploadBody(request, response, {
      findLink: (key) => links.find(key, accessRequest),
      forward(id, received) {
        const isForwarded = links.forward(id, exchange, received)
        if (isForwarded) bodies.delete(body)
        return isForwarded
      },
    })
    const out: Writable = response
    bodies.add(body)
    out.once('close', () => bodies.delete(body))
  }

  return {
    requests: [
      {
        path: paths.up,
        method: 'POST',
        admission: 'open link',
        maxBodyBytes: 'handler reads it',
        handle,
      },
    ],
    close: () => bodies.forEach((body) => body.cut()),
  }
}

interface UploadTargets {
  /** @throws {HttpRefusalError} */
  findLink(key: LinkKey): RegisteredLink
  /** Returns true where another node has the link, and gets the body from now on. */
  forward(id: string, received: Uint8Array): boolean
}

/** One request's body, from its first byte to its end. */
class UploadBody implements Upload {
  readonly #request: Readable
  readonly #response: GatewayResponse
  readonly #targets: UploadTargets
  readonly #announcedBytes: number | undefined
  readonly #cancelHeadTimeout: () => void
  readonly #head = new LinkHeadReader()
  #headChunks: Buffer<ArrayBuffer>[] = []
  #frameCount = 0
  #registeredLink: RegisteredLink | undefined
  #isDone = false
  readonly #decoder = new RecordDecoder({
    onFrame: (frame) => {
      this.#frameCount += 1
      this.#registeredLink!.link.receive(frame)
    },
    onControl: (control) => {
      if (control.type !== 'close') return
      this.#registeredLink!.link.onEnded(control.reason)
      this.cut()
    },
  })

  constructor(request: GatewayRequest, response: GatewayResponse, targets: UploadTargets) {
    this.#request = request
    this.#response = response
    this.#targets = targets
    const length = request.headers['content-length']
    this.#announcedBytes = length === undefined ? undefined : Number(length)
    this.#cancelHeadTimeout = startTimeout(HEAD_TIMEOUT_MS, () => this.cut())
    this.#request.on('data', (chunk: Buffer<ArrayBuffer>) =>
      this.#runOrRefuse(() => this.#receiveChunk(chunk)),
    )
    this.#request.on('end', () => this.#runOrRefuse(() => this.#onEnd()))
    this.#request.on('error', () => this.#onAbort())
    this.#request.on('aborted', () => this.#onAbort())
    const out: Writable = response
    out.on('close', () => this.#onAbort())
  }

  /** Ends the body, whatever would still come. */
  cut(): void {
    this.#finish()
    answerNoContent(this.#response)
    discardBody(this.#request)
  }

  #runOrRefuse(work: () => void): void {
    if (this.#isDone) return
    try {
      work()
    } catch (error) {
      if (error instanceof HttpRefusalError) this.#refuse(error)
      else if (error instanceof ProtocolError) this.#refuseRecord(error)
      else throw error
    }
  }

  #receiveChunk(chunk: Buffer<ArrayBuffer>): void {
    if (this.#registeredLink) return this.#decoder.push(chunk)
    this.#headChunks.push(chunk)
    const head = this.#head.push(chunk)
    if (!head) return
    const chunks = this.#headChunks.splice(0)
    if (this.#targets.forward(head.key.id, Buffer.concat(chunks))) return this.#finish()
    this.#attachTo(this.#targets.findLink(head.key))
    if (head.rest.byteLength > 0) this.#decoder.push(head.rest)
  }

  #attachTo(registeredLink: RegisteredLink): void {
    this.#cancelHeadTimeout()
    if (registeredLink.link.closed)
      throw new HttpRefusalError(404, 'lost', serverRefusalsStrings.gateway.linkEnded)
    this.#registeredLink = registeredLink
    registeredLink.uploads.add(this)
    if (this.#announcedBytes === undefined) return registeredLink.link.setStreamedBody(true)
    if (this.#announcedBytes <= MAX_BATCH_BYTES) return
    throw new ProtocolError(
      'too-large',
      serverRefusalsStrings.gateway.batchTooLarge(this.#announcedBytes, MAX_BATCH_BYTES),
    )
  }

  #onEnd(): void {
    if (!this.#registeredLink)
      throw new HttpRefusalError(400, 'bad-frame', serverRefusalsStrings.gateway.bodyWithinHead)
    if (this.#decoder.isMidRecord)
      throw new ProtocolError('bad-frame', serverRefusalsStrings.gateway.bodyWithinRecord)
    this.#finish()
    answerNoContent(this.#response)
  }

  #refuseRecord(error: ProtocolError): void {
    const { link } = this.#registeredLink ?? {}
    this.#refuse(httpRefusalOf(error))
    link?.fail(error.reason)
  }

  #refuse(refusal: HttpRefusal): void {
    this.#finish()
    refuseRequest(this.#response, refusal)
    discardBody(this.#request)
  }

  /** The client broke off. If it had begun to send, the link ends (T2); an unused streamed body was only an attempt. */
  #onAbort(): void {
    if (this.#isDone) return
    const hasBegun = this.#frameCount > 0 || this.#decoder.isMidRecord || this.#announcedBytes !== undefined
    if (hasBegun)
      this.#registeredLink?.link.fail({ code: 'lost', detail: serverRefusalsStrings.link.uploadBrokeOff })
    this.#finish()
  }

  #finish(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#cancelHeadTimeout()
    this.#registeredLink?.uploads.delete(this)
    if (this.#announcedBytes === undefined) this.#registeredLink?.link.setStreamedBody(false)
  }
}
