/**
 * The session cookie by its names. On TLS it is `__Host-`: a browser then takes it from this very host alone, Secure and for every
 * path, so no neighbour under the same domain can set one. Plain http has no such prefix. Knows headers; does not know sessions.
 */
import type { DoorRequest } from './access.ts'

const PLAIN = 'diptych.session_token'
const HOST = `__Host-${PLAIN}`
/** What it was called before. */
const FORMER = `__Secure-${PLAIN}`
/** No cookie of the former name lives longer: browsers end each after 400 days. */
const FORMER_UNTIL = Date.UTC(2027, 11, 31)

export const cookieName = (secure: boolean): string => (secure ? HOST : PLAIN)

interface SessionCookie {
  /** `name=value` under its present name, whichever it came under: it is the same proof. */
  readonly pair: string
  /** It came under its former name, and is to be moved. */
  readonly isFormer: boolean
}

export function findSessionCookie(
  { headers, secure }: Pick<DoorRequest, 'headers' | 'secure'>,
  now = Date.now(),
): SessionCookie | null {
  const pairs = cookiePairs(headers.cookie)
  const valueOf = (name: string) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  const name = cookieName(secure)
  const value = valueOf(name)
  if (value !== undefined) return { pair: `${name}=${value}`, isFormer: false }
  const former = secure && now < FORMER_UNTIL ? valueOf(FORMER) : undefined
  return former === undefined ? null : { pair: `${name}=${former}`, isFormer: true }
}

export const isSessionCookie = (pair: string): boolean =>
  [PLAIN, HOST, FORMER].some((name) => pair.startsWith(`${name}=`))

/** Values for Set-Cookie headers. @param renewals What sets the cookie anew already, where it is renewed at the same time. */
export function movedCookies(pair: string, renewals: readonly string[], maxAge: number): string[] {
  const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'
  const moved = renewals.length > 0 ? renewals : [`${pair}; Max-Age=${maxAge}; ${attributes}`]
  return [...moved, `${FORMER}=; Max-Age=0; ${attributes}`]
}

export const cookiePairs = (header: string | undefined): string[] =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
