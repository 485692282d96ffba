/** Who opens a page without a session becomes a guest on the way. */
import type { AccessRequest } from './access/access.ts'

export interface IssuedGuest {
  /** Values for Set-Cookie headers. */
  readonly setCookies: string[]
  /** The Cookie header to go on with. */
  readonly cookie: string
}

/** Null for who is known already. */
export type GuestIssuer = (request: AccessRequest) => Promise<IssuedGuest | null>
