/** Makes a guest of whoever opens a page without a session. */
import type { AccessRequest } from './access/access.ts'

export interface IssuedGuest {
  /** Values for Set-Cookie headers. */
  readonly setCookies: string[]
  /** The Cookie header to forward. */
  readonly cookie: string
}

/** Returns null for a request that has a session already. */
export type GuestIssuer = (request: AccessRequest) => Promise<IssuedGuest | null>
