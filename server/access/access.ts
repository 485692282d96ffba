/** What gateways, API and rooms need of access. It knows guests, links and grants; it does not know sockets or Yjs. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal, Role } from './principal.ts'

export interface AccessRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** True on the TLS listener. http and https have different guests. */
  readonly secure: boolean
  /** The remote address of the socket, '' when it is gone. It may be a proxy's: see client-address.ts. */
  readonly peer: string
}

export interface IssuedGuest {
  /** Values for Set-Cookie headers. */
  readonly setCookies: string[]
  /** The Cookie header to forward. */
  readonly cookie: string
}

/** Makes a guest of whoever opens a page without a session. Returns null for a request that has one already. */
export type GuestIssuer = (request: AccessRequest) => Promise<IssuedGuest | null>

export interface AccessRefusal {
  readonly status: 401 | 403 | 429
  readonly code: 'origin' | 'sign-in' | 'forbidden' | 'too-many'
  readonly message: string
  /** When to retry, where that helps. */
  readonly retryAfterS?: number
}

export interface AdmitOptions {
  readonly ticketed?: boolean
  /**
   * The request only reads. Browsers send no Origin with a same-origin GET, so `Sec-Fetch-Site` replaces it when it says
   * `same-origin`, or `none` for an address that the person typed. Only the HTTP API's GETs set this.
   */
  readonly safe?: boolean
}

export interface Access {
  /**
   * A1: the Origin must be on the allow-list. A request without Origin must have a token (`Authorization: Bearer`) and no cookie,
   * unless `ticketed`: then a one-use ticket vouches for it, issued by a route that checked the Origin.
   */
  admit(request: AccessRequest, options?: AdmitOptions): Promise<Principal | AccessRefusal>
  /** Checks A1 alone, for routes that identify their caller by other means. */
  isOriginAllowed(request: AccessRequest): boolean
  /** Returns, synchronously, the `Principal.credential` of a request that presents the same proof again. */
  credentialOf(request: AccessRequest): string
  /**
   * Returns the strongest role of: owner, grant, the principal's own token, `token`. Returns
   * null for missing, deleted and forbidden alike.
   */
  roleOf(principal: Principal, document: string, token?: string): Promise<Role | null>
  /**
   * Calls the listener with a document's id whenever a grant, a link, a proposal or the document itself was changed or removed, and then,
   * since their rights follow it, with each proposal to change it, as `ofOriginal`. Returns the undo.
   */
  onChanged(listener: (document: string, ofOriginal?: boolean) => void): () => void
}

export const isAccessRefusal = <Answer extends object>(
  answer: Answer | AccessRefusal,
): answer is AccessRefusal => 'status' in answer
