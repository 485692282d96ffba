/**
 * A1: checks from which pages a request may come. It knows the headers Origin, Host and Sec-Fetch-Site; it does not know sessions.
 *
 *   Origin of our own, or on the list ─▶ yes
 *   any other Origin, `null` included ─▶ no
 *   none ─┬─ the browser says it comes from another site ─▶ no
 *         ├─ ticketed: a route that checked the Origin issued the ticket ─▶ yes
 *         ├─ a safe GET, and the browser says it comes from this site ─▶ yes (browsers send no Origin with these)
 *         └─ a token and no cookie: a program, not a page ─▶ yes; otherwise no
 */
import { isIP } from 'node:net'
import type { AdmitOptions, AccessRequest } from './access.ts'

export interface OriginRules {
  /** Origins allowed besides the server's own, as `https://host:port`: PUBLIC_URL and ALLOWED_ORIGINS. */
  readonly allowedOrigins: readonly string[]
  /** Host names that are the server's own, besides loopback names and bare IP addresses: HOST. */
  readonly hosts?: readonly string[]
}

export type OriginCheck = (request: AccessRequest, options?: AdmitOptions) => boolean

export function createOriginCheck({ allowedOrigins, hosts = [] }: OriginRules): OriginCheck {
  const allowed = new Set(allowedOrigins.map((origin) => new URL(origin).origin))
  const ownNames = new Set([
    ...hosts.map((host) => host.toLowerCase()),
    ...[...allowed].map((origin) => new URL(origin).hostname),
  ])

  return (request, options = {}) => {
    const ownOriginText = ownOrigin(request, ownNames)
    const { origin } = request.headers
    if (origin !== undefined) return allowed.has(origin) || origin === ownOriginText
    return isAllowedWithoutOrigin(request, options, ownOriginText !== null)
  }
}

function isAllowedWithoutOrigin(
  request: AccessRequest,
  { ticketed, safe }: AdmitOptions,
  isOwnHost: boolean,
): boolean {
  if (isFromAnotherSite(request.headers)) return false
  if (ticketed) return true
  const site = request.headers['sec-fetch-site']
  if (safe && isSafeMethod(request.method) && (site === 'same-origin' || site === 'none')) return isOwnHost
  return bearerToken(request) !== null && request.headers.cookie === undefined
}

/** `same-site` is another site, too: another port or a neighbouring name. */
export const isFromAnotherSite = (headers: AccessRequest['headers']): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'

const isSafeMethod = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Returns what the address bar of our own pages shows, or null when Host is not the server's name (DNS rebinding). */
function ownOrigin({ headers, secure }: AccessRequest, names: ReadonlySet<string>): string | null {
  const host = headers[':authority'] ?? headers.host
  if (typeof host !== 'string' || !/^[\w.:[\]-]+$/.test(host)) return null
  const text = `${secure ? 'https' : 'http'}://${host}`
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  return isLoopbackOrAddress(url.hostname) || names.has(url.hostname) ? url.origin : null
}

/** An attacker can point a name of their own at this server; nobody can make a name out of a bare address. */
const isLoopbackOrAddress = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0

export function bearerToken({ headers }: AccessRequest): string | null {
  const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? null
}
