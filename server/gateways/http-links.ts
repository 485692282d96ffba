/**
 * The links of this node that HTTP requests come back to: found by the head of a body (S10), and by nobody but who opened them (A2).
 * Does not know what a request wants of its link.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { LinkKey } from '../../lib/protocol/link-key.ts'
import { nodeOf, SECRET_BYTES } from '../../lib/protocol/link-key.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Access, AccessRequest } from '../access/access.ts'
import type { GatewayResponse } from './gateway.ts'
import { DISCARD_MS, type HttpRefusal, HttpRefusalError } from './http-refusals.ts'

/** Links at once; a flood of them is refused rather than stored. */
const MAX_LINKS = 20_000

/** A link as the requests see it that come back to it. */
export interface HttpLink {
  /** `Principal.credential` of who opened it: nobody else's request is taken (A2). */
  readonly credential: string
  readonly closed: boolean
  /** @throws {ProtocolError} while no frame may come yet. */
  receive(frame: Uint8Array<ArrayBuffer>): void
  /** The client ended it, and says why. */
  onEnded(reason: CloseReason): void
  /** The way up broke, or brought rubbish. */
  fail(reason: CloseReason): void
  /** A streamed body is the link's from now on, or no longer. */
  setStreamedBody(attached: boolean): void
  /** Only where the way down is asked for. @throws {ProtocolError} for a cursor of what was never said. */
  answerPoll?(cursor: number, holdMs: number, response: GatewayResponse): void
}

/** A body that is still coming in. */
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
  readonly #access: Access
  readonly #node: string
  readonly #entries = new Map<string, RegisteredLinkEntry>()

  constructor({ access, node = 'a' }: { readonly access: Access; readonly node?: string }) {
    this.#access = access
    this.#node = node
  }

  /** What a door says before it opens another one; null where there is room. */
  get fullRefusal(): HttpRefusal | null {
    if (this.#entries.size < MAX_LINKS) return null
    return { status: 503, code: 'overloaded', message: strings.gateway.full(MAX_LINKS) }
  }

  add(link: HttpLink): LinkKey {
    const id = `${this.#node}.${randomBytes(16).toString('base64url')}`
    const secret = new Uint8Array(randomBytes(SECRET_BYTES))
    this.#entries.set(id, { secret, link, uploads: new Set() })
    return { id, secret }
  }

  /** The client ends its uploads by itself once it knows of the link's end; those that stay are cut. */
  forget({ id }: LinkKey): void {
    const { uploads } = this.#entries.get(id) ?? {}
    this.#entries.delete(id)
    if (uploads?.size) setTimeout(() => uploads.forEach((upload) => upload.cut()), DISCARD_MS).unref()
  }

  /** @throws {HttpRefusalError} */
  find({ id, secret }: LinkKey, request: AccessRequest): RegisteredLink {
    // One node knows one node's links; with several, a request for another's is handed over here.
    const entry = nodeOf(id) === this.#node ? this.#entries.get(id) : undefined
    if (!entry) throw new HttpRefusalError(404, 'lost', strings.gateway.noLink)
    if (!timingSafeEqual(secret, entry.secret))
      throw new HttpRefusalError(403, 'forbidden', strings.gateway.linkOfAnother)
    // An honest window meets this when its cookie was renewed: it is to come again, not to stop.
    if (this.#access.credentialOf(request) !== entry.link.credential)
      throw new HttpRefusalError(403, 'lost', strings.gateway.linkByAnotherCredential)
    return entry
  }
}
