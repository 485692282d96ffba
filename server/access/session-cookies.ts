/**
 * The session cookie by its names. On TLS it is `__Host-`: a browser then takes it from this very host alone, Secure and for every
 * path, so no neighbour under the same domain can set one. Plain http has no such prefix. Knows headers; does not know sessions.
 */
import type { AccessRequest } from './access.ts'

const PLAIN_COOKIE = 'diptych.session_token'
const HOST_COOKIE = `__Host-${PLAIN_COOKIE}`
/** What it was called before. */
const FORMER_COOKIE = `__Secure-${PLAIN_COOKIE}`
/** No cookie of the former name lives longer: browsers end each after 400 days. */
const FORMER_COOKIE_UNTIL = Date.UTC(2027, 11, 31)

export const cookieName = (secure: boolean): string => (secure ? HOST_COOKIE : PLAIN_COOKIE)

interface SessionCookie {
  /** `name=value` under its present name, whichever it came under: it is the same proof. */
  readonly pair: string
  /** It came under its former name, and is to be moved. */
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

/** Values for Set-Cookie headers. @param renewals What sets the cookie anew already, where it is renewed at the same time. */
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
