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
import type { DoorRequest, Refusal } from './access.ts'
import { cookieName, cookiePairs, findSessionCookie, isSessionCookie, movedCookies } from './cookies.ts'
import { digest } from './digest.ts'
import { furtherSession } from './further-session.ts'
import { friendlyName } from './names.ts'
import { isStored, type Newcomer, newcomer, readNewcomer, store } from './newcomers.ts'
import type { Principal } from './principal.ts'
import { type Profiles, readFormerNames } from './profiles.ts'
import { derivedKey } from './secret.ts'
import { unstoredSession } from './unstored-session.ts'

export interface Guest {
  readonly principal: Principal
  /** False when only the cookie's life was extended, or for one who is there already. */
  readonly isNew: boolean
  /** Values for Set-Cookie headers. */
  readonly setCookies: string[]
  /** The Cookie header to go on with: the request's other cookies and the guest's. */
  readonly cookie: string
}

export interface Guests {
  /** The session cookie as it stands in the header, `name=value`; null when the request brings none. */
  cookieOf(request: DoorRequest): string | null
  /** Null when the cookie is missing, forged or expired. Asks the database at most once in 30 s for each cookie. */
  identify(request: DoorRequest): Promise<Principal | null>
  /**
   * Stores who was greeted by a page and is not in the database yet; null for every other cookie.
   * @param refuse Asked once for each that is stored, however many requests arrive at once.
   */
  arrive(request: DoorRequest, refuse: () => Refusal | null): Promise<Principal | Refusal | null>
  /** A new guest, stored at once. */
  signIn(request: DoorRequest): Promise<Guest>
  /** A further session, for somebody whose identity was proven otherwise. Null when there is no such user. */
  signInAs(request: DoorRequest, user: string): Promise<Guest | null>
  /** By better-auth's id. */
  find(user: string): Promise<{ id: string; name: string } | null>
  /**
   * Null when the request brings a valid session whose cookie needs no renewal. Somebody new gets a cookie and is not stored:
   * see newcomers.ts.
   */
  welcome(request: DoorRequest): Promise<Guest | null>
}

/** The longest life browsers give a cookie. Each visit a day or more after the last renewal starts it anew. */
const SESSION_SECONDS = 400 * 24 * 3600
const SESSION_MS = SESSION_SECONDS * 1000
const RENEW_AFTER_SECONDS = 24 * 3600

/** Visits are noted by the day: guests who stay away are forgotten (server/retention). */
const VISIT_MS = 24 * 3600_000

const CACHE_MS = 30_000
const CACHE_SIZE = 10_000

interface StoredUser {
  readonly id: string
  readonly name: string
  readonly formerNames?: string | null | undefined
}

interface Known {
  readonly principal: Principal
  readonly until: number
}

interface GuestParts {
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly secret: Buffer
  readonly profiles: Pick<Profiles, 'latest'>
}

export function createGuests(parts: GuestParts): Guests {
  const http = createAuth(parts, false)
  const https = createAuth(parts, true)
  const known = new Map<string, Known>()
  /** By token: a page's script asks for several things at once. */
  const arriving = new Map<string, Promise<Principal | Refusal | null>>()

  const authOf = ({ secure }: DoorRequest) => (secure ? https : http)
  const cookieOf = (request: DoorRequest) => findSessionCookie(request)?.pair ?? null

  async function identify(request: DoorRequest): Promise<Principal | null> {
    const cookie = cookieOf(request)
    if (cookie === null) return null
    const hit = known.get(digest(cookie))
    if (hit && hit.until > Date.now()) return parts.profiles.latest(hit.principal)
    const found = await authOf(request).api.getSession({
      headers: new Headers({ cookie }),
      query: { disableRefresh: true },
    })
    if (!found) return null
    const principal = principalOf(found.user, cookie)
    remember(principal, found.session.expiresAt)
    if (Date.now() - found.session.updatedAt.getTime() > VISIT_MS) await noteVisit(found.session.id)
    return parts.profiles.latest(principal)
  }

  /** Windows that stay open for weeks open no page, which alone would renew the session. */
  const noteVisit = (session: string): Promise<unknown> =>
    parts.db
      .updateTable('session')
      .set({ updatedAt: new Date().toISOString() })
      .where('id', '=', session)
      .execute()
      .catch((err: unknown) => parts.log.warn({ err }, 'a visit could not be noted'))

  function remember(principal: Principal, expiresAt: Date): void {
    known.delete(principal.credential)
    known.set(principal.credential, {
      principal,
      until: Math.min(Date.now() + CACHE_MS, expiresAt.getTime()),
    })
    if (known.size > CACHE_SIZE) known.delete(known.keys().next().value!)
  }

  async function renewed(request: DoorRequest): Promise<Guest | null | 'unknown'> {
    const found = findSessionCookie(request)
    if (found === null) return 'unknown'
    const { response, headers } = await authOf(request).api.getSession({
      headers: new Headers({ cookie: found.pair }),
      returnHeaders: true,
    })
    if (!response) return 'unknown'
    const renewals = headers.getSetCookie()
    const setCookies = found.isFormer ? movedCookies(found.pair, renewals, SESSION_SECONDS) : renewals
    return setCookies.length === 0 ? null : guestOf(request, response.user, setCookies, false)
  }

  async function greet(request: DoorRequest, who = newcomer(Date.now())): Promise<Guest> {
    const { token, ...user } = who
    const { headers } = await authOf(request).api.signToken({ body: { token }, returnHeaders: true })
    return guestOf(request, user, headers.getSetCookie(), true)
  }

  /** Who begins by making something needs no welcome. */
  async function signIn(request: DoorRequest): Promise<Guest> {
    const who = newcomer(Date.now())
    await store(parts.db, who, { now: Date.now(), lifeMs: SESSION_MS, welcomed: '' })
    return greet(request, who)
  }

  async function newcomerOf(request: DoorRequest): Promise<Newcomer | null> {
    const cookie = cookieOf(request)
    if (cookie === null) return null
    const { token } = await authOf(request).api.readToken({ headers: new Headers({ cookie }) })
    return token === null ? null : readNewcomer(token, Date.now())
  }

  async function arrive(request: DoorRequest, refuse: () => Refusal | null) {
    const who = await newcomerOf(request)
    if (!who) return null
    const underWay = arriving.get(who.token)
    if (underWay) return underWay
    const arrival = storeOnce(request, who, refuse).finally(() => arriving.delete(who.token))
    arriving.set(who.token, arrival)
    return arrival
  }

  async function storeOnce(request: DoorRequest, who: Newcomer, refuse: () => Refusal | null) {
    const refusal = (await isStored(parts.db, who)) ? null : refuse()
    if (refusal) return refusal
    const stored = await store(parts.db, who, { now: Date.now(), lifeMs: SESSION_MS, welcomed: null })
    return stored ? principalOf(who, cookieOf(request)!) : null
  }

  async function find(user: string): Promise<{ id: string; name: string } | null> {
    const row = await parts.db
      .selectFrom('user')
      .select(['id', 'name'])
      .where('id', '=', user)
      .executeTakeFirst()
    return row ? { id: `user:${row.id}`, name: row.name } : null
  }

  async function signInAs(request: DoorRequest, user: string): Promise<Guest | null> {
    const { response, headers } = await authOf(request).api.signInFurther({
      body: { user },
      returnHeaders: true,
    })
    return response && guestOf(request, response, headers.getSetCookie(), false)
  }

  return {
    cookieOf,
    identify,
    arrive,
    signIn,
    signInAs,
    find,
    async welcome(request) {
      const answer = await renewed(request)
      if (answer !== 'unknown') return answer
      const who = await newcomerOf(request)
      return who && !(await isStored(parts.db, who)) ? null : greet(request)
    },
  }
}

function createAuth({ db, log, secret }: GuestParts, secure: boolean) {
  return betterAuth({
    appName: 'Diptych',
    // Only its functions are called: none of its routes are served, and no link ever carries this address.
    baseURL: secure ? 'https://localhost' : 'http://localhost',
    secret: derivedKey(secret, secure ? 'session cookies, https' : 'session cookies, http'),
    database: { db, type: 'sqlite' },
    plugins: [anonymous({ generateName: () => friendlyName(randomUUID()) }), furtherSession, unstoredSession],
    user: {
      additionalFields: { formerNames: { type: 'string', required: false, input: false } },
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: RENEW_AFTER_SECONDS },
    advanced: {
      cookiePrefix: 'diptych',
      // Its own prefix for Secure cookies is `__Secure-`, which leaves Domain and Path to whoever sets one.
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

/** The digest covers the cookie's name: the value of an https cookie proves nothing on http, nor the other way round. */
function principalOf({ id, name, formerNames: former }: StoredUser, cookie: string): Principal {
  const formerNames = readFormerNames(former)
  return {
    id: `user:${id}`,
    name,
    ...(formerNames.length > 0 && { formerNames }),
    credential: digest(cookie),
  }
}

function guestOf(request: DoorRequest, user: StoredUser, setCookies: string[], isNew: boolean): Guest {
  const name = cookieName(request.secure)
  const own = setCookies.map((line) => line.split(';')[0]!).find((pair) => pair.startsWith(`${name}=`))
  if (own === undefined) throw new Error(`better-auth set no cookie ${name}.`)
  const others = cookiePairs(request.headers.cookie).filter((pair) => !isSessionCookie(pair))
  return { principal: principalOf(user, own), isNew, setCookies, cookie: [...others, own].join('; ') }
}
