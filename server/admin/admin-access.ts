/**
 * Who may see /admin: whoever typed the token. It is compared in constant time, and each address has few tries. The proof is a cookie
 * that scripts cannot read and that goes to /api/admin alone; it names its end and is signed with the token, so that every node with
 * the same token takes it, and a new token ends it.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/session/clock.ts'
import { realClock } from '../../lib/session/clock.ts'
import type { AccessRequest } from '../access/access.ts'
import { createClientAddressOf } from '../access/client-address.ts'
import { parseCookiePairs } from '../access/session-cookies.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'

/** Wrong tokens of one address: five, and then one a minute. */
const MAX_TRIES: Rate = { atOnce: 5, perSecond: 1 / 60 }
const SIGNED_IN_S = 12 * 60 * 60

export interface AdminAccess {
  /** Returns the value of a Set-Cookie header, null for a wrong token, or after how many seconds the address may try again. */
  signIn(request: AccessRequest, token: string): string | null | { readonly retryAfterS: number }
  isSignedIn(request: AccessRequest): boolean
  /** Returns the value of a Set-Cookie header that removes the cookie. */
  signOut(request: AccessRequest): string
}

export interface AdminAccessOptions {
  readonly token: string
  readonly trustedProxies: readonly string[]
  readonly clock?: Pick<Clock, 'now'>
}

export function createAdminAccess({
  token,
  trustedProxies,
  clock = realClock,
}: AdminAccessOptions): AdminAccess {
  const addressOf = createClientAddressOf(trustedProxies)
  const tries = new RateLimits(MAX_TRIES, clock)
  const sign = (end: string): string =>
    createHmac('sha256', token).update(`diptych admin until ${end}`).digest('base64url')

  return {
    signIn(request, given) {
      const address = addressOf(request)
      const waitMs = tries.waitMs(address)
      if (waitMs > 0) return { retryAfterS: Math.ceil(waitMs / 1000) }
      if (!areEqual(given, token)) {
        tries.take(address)
        return null
      }
      const end = String(Math.floor(Date.now() / 1000) + SIGNED_IN_S)
      return cookieOf(request, `${end}.${sign(end)}`, SIGNED_IN_S)
    },
    isSignedIn(request) {
      const name = `${cookieNameOf(request)}=`
      const pair = parseCookiePairs(request.headers.cookie).find((one) => one.startsWith(name))
      const [end = '', signature = ''] = pair?.slice(name.length).split('.') ?? []
      return areEqual(signature, sign(end)) && Number(end) > Date.now() / 1000
    },
    signOut: (request) => cookieOf(request, '', 0),
  }
}

/** Compares digests, so that not even the length shows in the time. */
const areEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(expected))

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const cookieNameOf = ({ secure }: AccessRequest): string =>
  secure ? '__Secure-diptych.admin' : 'diptych.admin'

const cookieOf = (request: AccessRequest, value: string, maxAgeS: number): string =>
  [
    `${cookieNameOf(request)}=${value}`,
    `Max-Age=${maxAgeS}`,
    'Path=/api/admin',
    'HttpOnly',
    'SameSite=Strict',
    ...(request.secure ? ['Secure'] : []),
  ].join('; ')
