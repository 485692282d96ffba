/**
 * The header by which one node proves to another that it forwards a request (S10), and what it vouches for:
 *
 *   diptych-forward = 1 . base64url(JSON of ForwardClaims) . base64url(HMAC-SHA-256 of what stands before)
 *
 * The key is derived from the secret that the nodes share. A proof is good for one method, one URL and one host, for one node, and
 * for half a minute: it needs no memory at the receiver, and the clocks of two nodes may differ by that much. A header without a
 * good proof counts as none: its request is a stranger's. So does one of another version: a node that is newer or older does not
 * guess.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../access/installation-secret.ts'
import type { Principal } from '../access/principal.ts'
import type { GatewayRequest } from '../gateways/gateway-request.ts'
import { hostOf } from '../http-answers.ts'
import type { ForwardedOrigin } from './forwarded-origin.ts'

export const FORWARD_HEADER = 'diptych-forward'
/** The receiver names itself in the answer. Without it, something else answers at that address. */
export const NODE_HEADER = 'diptych-node'

const VERSION = '1'
const MAX_AGE_MS = 30_000

interface ForwardClaims {
  readonly from: string
  readonly to: string
  /** Milliseconds since 1970, by the clock of `from`. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly host: string
  readonly secure: boolean
  readonly peer: string
  readonly principal?: Principal
}

export type ForwardedRequestLine = Pick<ForwardClaims, 'method' | 'url' | 'host'>

export class ForwardProof {
  /** The name of this node. */
  readonly self: string
  readonly #key: string
  readonly #now: () => number

  constructor(secret: Buffer, self: string, now: () => number = Date.now) {
    this.#key = deriveKey(secret, `forward ${VERSION}`)
    this.self = self
    this.#now = now
  }

  /** Returns the value of the header. */
  write(
    to: string,
    { method, url, host }: ForwardedRequestLine,
    { secure, peer, principal }: Omit<ForwardedOrigin, 'from'>,
  ): string {
    const own = { from: this.self, to, at: this.#now(), method, url, host, secure, peer }
    const claims: ForwardClaims = principal ? { ...own, principal } : own
    const signed = `${VERSION}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    return `${signed}.${this.#sign(signed)}`
  }

  /** Returns null for a request without a good proof. */
  readRequest(request: GatewayRequest): ForwardedOrigin | null {
    const header = request.headers[FORWARD_HEADER]
    const { method = '', url = '' } = request
    return typeof header === 'string' ? this.read(header, { method, url, host: hostOf(request) }) : null
  }

  /** Returns null for what is no good proof for this line, at this node. */
  read(header: string, line: ForwardedRequestLine): ForwardedOrigin | null {
    const claims = this.#verify(header)
    if (!claims || !this.#isFor(line, claims)) return null
    const { from, secure, peer, principal = null } = claims
    return { from, secure, peer, principal }
  }

  #verify(header: string): ForwardClaims | null {
    const [version, payload = '', mac = ''] = header.split('.')
    const given = Buffer.from(mac)
    const expected = Buffer.from(this.#sign(`${version}.${payload}`))
    if (version !== VERSION || given.length !== expected.length || !timingSafeEqual(given, expected))
      return null
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ForwardClaims
  }

  #isFor(line: ForwardedRequestLine, { to, at, method, url, host }: ForwardClaims): boolean {
    return (
      to === this.self &&
      Math.abs(this.#now() - at) <= MAX_AGE_MS &&
      method === line.method &&
      url === line.url &&
      host === line.host
    )
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}
