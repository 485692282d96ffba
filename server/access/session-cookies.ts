/**
 * Names and finds the session cookie. On TLS it is `__Host-`: a browser then takes it from this very host alone, Secure and for
 * every path, so no other host of the same domain can set one. Plain http has no such prefix. It knows headers; it does not know
 * sessions.
 */
import type { AccessRequest } from './access.ts'

const PLAIN_COOKIE = 'diptych.session_token'
const HOST_COOKIE = `__Host-${PLAIN_COOKIE}`
/** The cookie's name in earlier versions. */
const FORMER_COOKIE = `__Secure-${PLAIN_COOKIE}`
/** No cookie of the former name lives longer, because browsers end each cookie after 400 days. */
const FORMER_COOKIE_UNTIL = Date.UTC(2027, 11, 31)

export const cookieName = (secure: boolean): string => (secure ? HOST_COOKIE : PLAIN_COOKIE)

interface SessionCookie {
  /** `name=value` under the present name, whichever name it had in the request: the proof is the same. */
  readonly pair: string
  /** True when the request used the former name, so that the cookie is to be renamed. */
  readonly isFormer: boolean
}

export function findSessionCookie(
  { headers, secure }: Pick<AccessRequest, 'headers' | 'secure'>,
  now = Date.now(),
): SessionCookie | null {
  const pairs = parseCookiePairs(headers.cookie)
  const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  const name = cookieName(secure)
  const value = valueOf(name)
  if (value !== undefined) return { pair: `${name}=${value}`, isFormer: false }
  const formerValue = secure && now < FORMER_COOKIE_UNTIL ? valueOf(FORMER_COOKIE) : undefined
  return formerValue === undefined ? null : { pair: `${name}=${formerValue}`, isFormer: true }
}

export const isSessionCookie = (pair: string): boolean =>
  [PLAIN_COOKIE, HOST_COOKIE, FORMER_COOKIE].some((name) => pair.startsWith(`${name}=`))

/**
 * Returns values for Set-Cookie headers that rename the cookie.
 * @param renewals The headers that set the cookie already, where it is renewed at the same time.
 */
export function migratedCookies(pair: string, renewals: readonly string[], maxAge: number): string[] {
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
  const renewed = renewals.length > 0 ? renewals : [`${pair}; Max-Age=${maxAge}; ${attributes}`]
  return [...renewed, `${FORMER_COOKIE}=; Max-Age=0; ${attributes}`]
}

export const parseCookiePairs = (header: string | undefined): string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
