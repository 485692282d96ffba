/**
 * The links of this node that consist of HTTP requests. A request finds its link by the head of its body (S10), and only with the
 * credential that opened the link (A2). A request for a link of another node is forwarded. Does not know
 * what a request does with its link.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { SECRET_BYTES } from '../../lib/protocol/link-key.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Access, AccessRequest } from '../access/access.ts'
import type { Exchange, ForwardsRequests, GatewayDependencies } from './gateway.ts'
import type { GatewayResponse } from './gateway-request.ts'
import { DISCARD_MS, HttpRefusalError } from './http-refusals.ts'
import { startTimeout } from '../timeouts.ts'

/** The most links at once, so that a flood of them is refused rather than stored. */
const MAX_LINKS = 20_000
const NOTHING = new Uint8Array()

/** A link as its requests see it. */
export interface HttpLink {
  /** The `Principal.credential` that opened it: requests with another one are refused (A2). */
  readonly credential: string
  readonly closed: boolean
  /** @throws {ProtocolError} if no frame may come yet. */
  receive(frame: Uint8Array<ArrayBuffer>): void
  /** The client ended the link, with a reason. */
  onEnded(reason: CloseReason): void
  /** The upstream broke, or brought bytes that cannot be decoded. */
  fail(reason: CloseReason): void
  /** A streamed body carries the link's upstream from now on, or no longer. */
  setStreamedBody(attached: boolean): void
  /** Exists only for polled links. @throws {ProtocolError} for a cursor beyond what was sent. */
  answerPoll?(cursor: number, holdMs: number, response: GatewayResponse): void
}

/** A request body that is still being received. */
export interface Upload {
  cut(): void
}

export interface RegisteredLink {
  readonly link: HttpLink
  readonly uploads: Set<Upload>
}

interface RegisteredLinkEntry extends RegisteredLink {
  readonly secret: Uint8Array
}

export class HttpLinks {
  /** The name of this node (S10). */
  readonly node: string
  readonly #access: Access
  readonly #forwarder: ForwardsRequests | undefined
  readonly #entries = new Map<string, RegisteredLinkEntry>()
  /** How many links are polled. */
  #polledLinks = 0
  #onLastPolledLink = (): void => {}

  constructor({ access, node = 'a', forwarder }: Pick<GatewayDependencies, 'access' | 'node' | 'forwarder'>) {
    this.#access = access
    this.node = node
    this.#forwarder = forwarder
  }

  /** See `ForwardsRequests`. */
  forward(id: string, exchange: Exchange, received: Uint8Array = NOTHING): boolean {
    return this.#forwarder?.forward(id, exchange, received) ?? false
  }

  /** @throws {HttpRefusalError} if there is no room for one more. */
  add(link: HttpLink): LinkKey {
    if (this.#entries.size >= MAX_LINKS)
      throw new HttpRefusalError(503, 'overloaded', serverRefusalsStrings.gateway.full(MAX_LINKS))
    const id = `${this.node}.${randomBytes(16).toString('base64url')}`
    const secret = new Uint8Array(randomBytes(SECRET_BYTES))
    this.#entries.set(id, { secret, link, uploads: new Set() })
    if (link.answerPoll) this.#polledLinks += 1
    return { id, secret }
  }

  /** A client ends its uploads by itself when it learns that the link ended; after a while the rest are cut. */
  forget({ id }: LinkKey): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    const { link, uploads } = entry
    this.#entries.delete(id)
    if (link.answerPoll && --this.#polledLinks === 0) this.#onLastPolledLink()
    if (uploads.size > 0) startTimeout(DISCARD_MS, () => uploads.forEach((upload) => upload.cut()))
  }

  /** Resolves when every polled link has ended and given the reason to a last poll, at the latest after `limitMs`. */
  async waitForLastPolls(limitMs: number): Promise<void> {
    if (this.#polledLinks === 0) return
    const { promise: over, resolve } = Promise.withResolvers<void>()
    this.#onLastPolledLink = resolve
    const cancel = startTimeout(limitMs, resolve)
    await over
    cancel()
  }

  /** @throws {HttpRefusalError} */
  find({ id, secret }: LinkKey, request: AccessRequest): RegisteredLink {
    const entry = this.#entries.get(id)
    if (!entry) throw new HttpRefusalError(404, 'lost', serverRefusalsStrings.gateway.noLink)
    if (!timingSafeEqual(secret, entry.secret))
      throw new HttpRefusalError(403, 'forbidden', serverRefusalsStrings.gateway.linkOfAnother)
    // An honest window gets this when its cookie was renewed: it should reconnect, not stop.
    if (this.#access.credentialOf(request) !== entry.link.credential)
      throw new HttpRefusalError(403, 'lost', serverRefusalsStrings.gateway.linkByAnotherCredential)
    return entry
  }
}
