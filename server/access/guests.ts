/**
 * People without an account, whose sessions are better-auth's. Knows session cookies; does not know Origin,
 * documents or links.
 *
 * There are two instances, because better-auth fixes the Secure flag once for each: one for https, one for http (loopback
 * only). Their cookies have different names and are signed with different keys, so http and https have different guests.
 */
import { randomUUID } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { anonymous } from 'better-auth/plugins/anonymous'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/schema.ts'
import type { AccessRequest, AccessRefusal } from './access.ts'
import {
  cookieName,
  parseCookiePairs,
  findSessionCookie,
  isSessionCookie,
  migratedCookies,
} from './session-cookies.ts'
import { digestSecret } from './digest-secret.ts'
import { additionalSessionPlugin } from './additional-session.ts'
import { friendlyName, RecentNames } from './friendly-names.ts'
import {
  isGuestStored,
  type UnstoredGuest,
  createUnstoredGuest,
  readUnstoredGuest,
  storeGuest,
} from './unstored-guests.ts'
import type { Principal } from './principal.ts'
import { type ProfileStore, readFormerNames } from './profiles.ts'
import { deriveKey } from './installation-secret.ts'
import { unstoredSessionPlugin } from './unstored-session.ts'

export interface Guest {
  readonly principal: Principal
  /** False when only the cookie's life was extended, or when the person existed already. */
  readonly isNew: boolean
  /** Values for Set-Cookie headers. */
  readonly setCookies: string[]
  /** The Cookie header to forward: the request's other cookies and the guest's. */
  readonly cookie: string
}

export interface Guests {
  /** Returns the session cookie as in the header, `name=value`, or null when the request has none. */
  cookieOf(request: AccessRequest): string | null
  /** Returns null when the cookie is missing, forged or expired. Queries the database at most once in 30 s for each cookie. */
  identify(request: AccessRequest): Promise<Principal | null>
  /**
   * Stores a guest to whom a page issued a cookie and who is not in the database yet; returns null for every other cookie.
   * @param checkLimit Called once for each guest that is stored, however many requests arrive at once.
   */
  storeOnFirstUse(
    request: AccessRequest,
    checkLimit: () => AccessRefusal | null,
  ): Promise<Principal | AccessRefusal | null>
  /** Creates a guest and stores it at once. */
  createGuest(request: AccessRequest): Promise<Guest>
  /** Opens an additional session for somebody whose identity was proven otherwise. Returns null when there is no such user. */
  signInAs(request: AccessRequest, user: string): Promise<Guest | null>
  /** Finds a user by better-auth's id. */
  findUser(user: string): Promise<{ id: string; name: string } | null>
  /**
   * Returns null when the request has a valid session whose cookie needs no renewal. A new guest gets a cookie and is not stored:
   * see unstored-guests.ts.
   */
  issueOrRenew(request: AccessRequest): Promise<Guest | null>
}

/** The longest life that browsers give a cookie. A visit a day or more after the last renewal restarts it. */
const SESSION_SECONDS = 400 * 24 * 3600
const SESSION_MS = SESSION_SECONDS * 1000
const RENEW_AFTER_SECONDS = 24 * 3600

/** Visits are recorded by the day, because guests who stay away are deleted (server/retention). */
const VISIT_INTERVAL_MS = 24 * 3600_000

const CACHE_TTL_MS = 30_000
const CACHE_SIZE = 10_000

interface StoredUser {
  readonly id: string
  readonly name: string
  readonly formerNames?: string | null | undefined
}

interface CachedPrincipal {
  readonly principal: Principal
  readonly expiresAt: number
}

interface GuestsDependencies {
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly secret: Buffer
  readonly profiles: Pick<ProfileStore, 'withLatestProfile'>
}

export function createGuests(dependencies: GuestsDependencies): Guests {
  const http = createAuth(dependencies, false)
  const https = createAuth(dependencies, true)
  const cachedPrincipals = new Map<string, CachedPrincipal>()
  /** Pending stores by token, because a page's script sends several requests at once. */
  const pendingStores = new Map<string, Promise<Principal | AccessRefusal | null>>()

  const recentNames = new RecentNames()

  const newGuest = (): UnstoredGuest => recentNames.choose(() => createUnstoredGuest(Date.now()))
  const authOf = ({ secure }: AccessRequest) => (secure ? https : http)
  const cookieOf = (request: AccessRequest) => findSessionCookie(request)?.pair ?? null

  async function identify(request: AccessRequest): Promise<Principal | null> {
    const cookie = cookieOf(request)
    if (cookie === null) return null
    const cached = cachedPrincipals.get(digestSecret(cookie))
    if (cached && cached.expiresAt > Date.now())
      return dependencies.profiles.withLatestProfile(cached.principal)
    const found = await authOf(request).api.getSession({
      headers: new Headers({ cookie }),
      query: { disableRefresh: true },
    })
    if (!found) return null
    const principal = principalOf(found.user, cookie)
    cachePrincipal(principal, found.session.expiresAt)
    if (Date.now() - found.session.updatedAt.getTime() > VISIT_INTERVAL_MS)
      await recordVisit(found.session.id)
    return dependencies.profiles.withLatestProfile(principal)
  }

  /** Records a visit here because windows that stay open for weeks load no page, and only a page renews the session. */
  const recordVisit = (session: string): Promise<unknown> =>
    dependencies.db
      .updateTable('session')
      .set({ updatedAt: new Date().toISOString() })
      .where('id', '=', session)
      .execute()
      .catch((err: unknown) => dependencies.log.warn({ err }, 'a visit could not be noted'))

  function cachePrincipal(principal: Principal, expiresAt: Date): void {
    cachedPrincipals.delete(principal.credential)
    cachedPrincipals.set(principal.credential, {
      principal,
      expiresAt: Math.min(Date.now() + CACHE_TTL_MS, expiresAt.getTime()),
    })
    if (cachedPrincipals.size > CACHE_SIZE) cachedPrincipals.delete(cachedPrincipals.keys().next().value!)
  }

  async function renewSession(request: AccessRequest): Promise<Guest | null | 'unknown'> {
    const found = findSessionCookie(request)
    if (found === null) return 'unknown'
    const { response, headers } = await authOf(request).api.getSession({
      headers: new Headers({ cookie: found.pair }),
      returnHeaders: true,
    })
    if (!response) return 'unknown'
    const renewals = headers.getSetCookie()
    const setCookies = found.isFormer ? migratedCookies(found.pair, renewals, SESSION_SECONDS) : renewals
    return setCookies.length === 0 ? null : guestOf(request, response.user, setCookies, false)
  }

  async function issueCookie(request: AccessRequest, guest = newGuest()): Promise<Guest> {
    const { token, ...user } = guest
    const { headers } = await authOf(request).api.signToken({ body: { token }, returnHeaders: true })
    return guestOf(request, user, headers.getSetCookie(), true)
  }

  /** A guest who begins by creating a document needs no welcome. */
  async function createGuest(request: AccessRequest): Promise<Guest> {
    const guest = newGuest()
    await storeGuest(dependencies.db, guest, { now: Date.now(), sessionLifetimeMs: SESSION_MS, welcomed: '' })
    return issueCookie(request, guest)
  }

  async function unstoredGuestOf(request: AccessRequest): Promise<UnstoredGuest | null> {
    const cookie = cookieOf(request)
    if (cookie === null) return null
    const { token } = await authOf(request).api.readToken({ headers: new Headers({ cookie }) })
    return token === null ? null : readUnstoredGuest(token, Date.now())
  }

  async function storeOnFirstUse(request: AccessRequest, checkLimit: () => AccessRefusal | null) {
    const guest = await unstoredGuestOf(request)
    if (!guest) return null
    const pendingStore = pendingStores.get(guest.token)
    if (pendingStore) return pendingStore
    const newStore = storeUnlessRefused(request, guest, checkLimit).finally(() =>
      pendingStores.delete(guest.token),
    )
    pendingStores.set(guest.token, newStore)
    return newStore
  }

  async function storeUnlessRefused(
    request: AccessRequest,
    guest: UnstoredGuest,
    checkLimit: () => AccessRefusal | null,
  ) {
    const refusal = (await isGuestStored(dependencies.db, guest)) ? null : checkLimit()
    if (refusal) return refusal
    const stored = await storeGuest(dependencies.db, guest, {
      now: Date.now(),
      sessionLifetimeMs: SESSION_MS,
      welcomed: null,
    })
    return stored ? principalOf(guest, cookieOf(request)!) : null
  }

  async function findUser(user: string): Promise<{ id: string; name: string } | null> {
    const row = await dependencies.db
      .selectFrom('user')
      .select(['id', 'name'])
      .where('id', '=', user)
      .executeTakeFirst()
    return row ? { id: `user:${row.id}`, name: row.name } : null
  }

  async function signInAs(request: AccessRequest, user: string): Promise<Guest | null> {
    const { response, headers } = await authOf(request).api.createAdditionalSession({
      body: { user },
      returnHeaders: true,
    })
    return response && guestOf(request, response, headers.getSetCookie(), false)
  }

  return {
    cookieOf,
    identify,
    storeOnFirstUse,
    createGuest,
    signInAs,
    findUser,
    async issueOrRenew(request) {
      const renewal = await renewSession(request)
      if (renewal !== 'unknown') return renewal
      const unstored = await unstoredGuestOf(request)
      return unstored && !(await isGuestStored(dependencies.db, unstored)) ? null : issueCookie(request)
    },
  }
}

function createAuth({ db, log, secret }: GuestsDependencies, secure: boolean) {
  return betterAuth({
    appName: 'Diptych',
    // Only its functions are called: none of its routes are served, and no link ever has this address.
    baseURL: secure ? 'https://localhost' : 'http://localhost',
    secret: deriveKey(secret, secure ? 'session cookies, https' : 'session cookies, http'),
    // In PostgreSQL, too, the tables keep dates as text and truth values as numbers.
    database: { db, type: 'sqlite' },
    plugins: [
      anonymous({ generateName: () => friendlyName(randomUUID()) }),
      additionalSessionPlugin,
      unstoredSessionPlugin,
    ],
    user: {
      additionalFields: { formerNames: { type: 'string', required: false, input: false } },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: RENEW_AFTER_SECONDS },
    advanced: {
      // It would look for the tables with SQLite's own statements; the migrations see to them.
      database: { validateSchema: false },
      cookiePrefix: 'diptych',
      // better-auth's own prefix for Secure cookies is `__Secure-`, which leaves Domain and Path to whoever sets the cookie.
      useSecureCookies: false,
      cookies: { session_token: { name: cookieName(secure) } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure },
      ipAddress: { disableIpTracking: true },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { log: (level, message, ...details) => log[level]({ details }, message) },
  })
}

/** The digest covers the cookie's name, so that the value of an https cookie proves nothing on http, nor the reverse. */
function principalOf({ id, name, formerNames: formerNamesText }: StoredUser, cookie: string): Principal {
  const formerNames = readFormerNames(formerNamesText)
  return {
    id: `user:${id}`,
    name,
    ...(formerNames.length > 0 && { formerNames }),
    credential: digestSecret(cookie),
  }
}

function guestOf(request: AccessRequest, user: StoredUser, setCookies: string[], isNew: boolean): Guest {
  const name = cookieName(request.secure)
  const sessionPair = setCookies
    .map((line) => line.split(';')[0]!)
    .find((pair) => pair.startsWith(`${name}=`))
  if (sessionPair === undefined) throw new Error(`better-auth set no cookie ${name}.`)
  const otherPairs = parseCookiePairs(request.headers.cookie).filter((pair) => !isSessionCookie(pair))
  return {
    principal: principalOf(user, sessionPair),
    isNew,
    setCookies,
    cookie: [...otherPairs, sessionPair].join('; '),
  }
}
