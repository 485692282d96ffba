/** What the doors and rooms ask of access. Knows guests, links and grants; does not know sockets or Yjs. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal, Role } from './principal.ts'

export interface AccessRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** True on the TLS listener. http and https have different guests. */
  readonly secure: boolean
  /** The socket's other end, '' where it is gone. Whether it is the client's own address, peer-address.ts knows. */
  readonly peer: string
}

export interface AccessRefusal {
  readonly status: 401 | 403 | 429
  readonly code: 'origin' | 'sign-in' | 'forbidden' | 'too-many'
  readonly message: string
  /** When to come again, where that helps. */
  readonly retryAfterS?: number
}

export interface AdmitOptions {
  readonly ticketed?: boolean
  /**
   * The request only reads. Browsers send no Origin with a same-origin GET: then `Sec-Fetch-Site` stands in for it, where it
   * says `same-origin`, or `none` for an address typed by the person. Only the HTTP API's GETs ask for this.
   */
  readonly safe?: boolean
}

export interface Access {
  /**
   * A1: the Origin must be on the allow-list. A request without Origin must bring a token (`Authorization: Bearer`) and no
   * cookie, unless `ticketed`: then a one-use ticket, fetched through a door that saw the Origin, vouches for it.
   */
  admit(request: AccessRequest, options?: AdmitOptions): Promise<Principal | AccessRefusal>
  /** A1 alone, for doors that know their caller by other means. */
  isOriginAllowed(request: AccessRequest): boolean
  /** Synchronous: `Principal.credential` of a request that brings the same proof again. */
  credentialOf(request: AccessRequest): string
  /** The strongest of: owner, grant, the principal's own token, `token`. Null when missing, deleted or forbidden: the same answer. */
  roleOf(principal: Principal, document: string, token?: string): Promise<Role | null>
  /** Called with a document's id whenever a grant, link or the document itself was changed or removed. Returns the undo. */
  onChanged(listener: (document: string) => void): () => void
}

export const isAccessRefusal = <Answer extends object>(
  answer: Answer | AccessRefusal,
): answer is AccessRefusal => 'status' in answer
