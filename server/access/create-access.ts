/** Puts access together: who stands at the door (guests, links), from which page (origin), with which role (roles). */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { strings } from '../../lib/strings/api.ts'
import type { Database } from '../store/schema.ts'
import { type Access, type DoorRequest, isRefusal, type Refusal } from './access.ts'
import type { Arrivals } from './arrivals.ts'
import { createDeviceTickets, type DeviceTickets } from './device-tickets.ts'
import { digest } from './digest.ts'
import { createGuests, type Guest } from './guests.ts'
import {
  findLink,
  insertGrant,
  insertLink,
  type LinkEntry,
  type LinkRole,
  listLinks,
  markRevoked,
} from './links.ts'
import { createLinkTokens } from './link-tokens.ts'
import { friendlyName } from './names.ts'
import { bearerToken, createOriginCheck, isFromAnotherSite, type OriginRules } from './origin.ts'
import { namesOf } from './people.ts'
import type { Principal, Role } from './principal.ts'
import { createProfiles, type Profiles } from './profiles.ts'
import { findRole } from './roles.ts'
import { installationSecret } from './secret.ts'

export interface AccessParts extends OriginRules {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** Where the secret that signs cookies, and that links' tokens follow from, is kept. */
  readonly dataDir: string
  readonly arrivals: Arrivals
}

/** Access, and what pages and the HTTP API do with it beyond the doors. */
export interface AccessWithGuests extends Access {
  /**
   * For a page. Null when the request brings a valid session cookie. Otherwise gives one to a new guest (`isNew`), whom the
   * first call of `admit` with it stores, or renews one that is more than a day old: send `setCookies` with the answer. Does
   * not look at Origin.
   */
  guest(request: DoorRequest): Promise<Guest | null>
  /**
   * For the door that makes guests, POST /api/documents: admits who brings a valid session cookie, and makes a guest of anybody
   * else. Origin is checked as in `admit`, but a program at its first call, with no Origin, cookie or token, has nothing that
   * another page could abuse and is let in: a browser always sends an Origin with a POST.
   */
  admitOrGreet(request: DoorRequest): Promise<{ principal: Principal; setCookies: string[] } | Refusal>
  /** For the doors that make or look up something. */
  readonly arrivals: Arrivals
  /** What people choose of themselves. */
  readonly profiles: Profiles
  /** For another device of the same person. They do not look at Origin. */
  readonly deviceTickets: DeviceTickets
  /** @throws {TooManyLinks} */
  createLink(document: string, role: LinkRole, by: Principal): Promise<{ id: string; token: string }>
  /** The links not revoked, oldest first, with their tokens: for the owner alone. */
  links(document: string): Promise<LinkEntry[]>
  /** False when the document has no such link any more. */
  revokeLink(document: string, link: string, by: Principal): Promise<boolean>
  /** Turns a link's token into a grant that dies with the link. The role then held; null when token and document do not fit. */
  redeem(principal: Principal, document: string, token: string): Promise<Role | null>
  /** Who made the link; null where there is none, or they are not known any more. */
  sharer(token: string): Promise<{ id: string; name: string } | null>
  /** Tells the listeners of `onChanged`; for whoever deletes a document. */
  changed(document: string): void
}

export async function createAccess(parts: AccessParts): Promise<AccessWithGuests> {
  const { db, log, dataDir, arrivals } = parts
  const secret = await installationSecret(dataDir)
  const profiles = createProfiles(db)
  const guests = createGuests({ db, log, secret, profiles })
  const tokens = createLinkTokens(secret)
  const originAllowed = createOriginCheck(parts)
  const listeners = new Set<(document: string) => void>()

  const changed = (document: string) => listeners.forEach((listener) => listener(document))
  const roleOf = (principal: Principal, document: string, token?: string) =>
    findRole(db, principal, document, token)

  const byCookie = async (request: DoorRequest): Promise<Principal | Refusal | null> =>
    (await guests.identify(request)) ?? guests.arrive(request, () => arrivals.newGuest(request))

  async function byToken(request: DoorRequest, token: string): Promise<Principal | Refusal | null> {
    const refusal = arrivals.mayGuess(request)
    if (refusal) return refusal
    const principal = await linkPrincipal(db, token)
    if (!principal) arrivals.guessed(request)
    return principal
  }

  const identify = async (request: DoorRequest): Promise<Principal | Refusal | null> => {
    if (guests.cookieOf(request) !== null) return byCookie(request)
    const token = bearerToken(request)
    return token === null ? null : byToken(request, token)
  }

  return {
    roleOf,
    changed,
    arrivals,
    profiles,
    originAllowed: (request) => originAllowed(request),
    deviceTickets: createDeviceTickets({ db, guests, log }),
    guest: (request) => guests.welcome(request),
    links: (document) => listLinks(db, tokens, document),

    async admit(request, options) {
      if (!originAllowed(request, options)) return originRefusal(request)
      return (await identify(request)) ?? signInRefusal
    },

    async admitOrGreet(request) {
      if (!originAllowed(request) && !bringsNothing(request)) return originRefusal(request)
      const known = await byCookie(request)
      if (known && isRefusal(known)) return known
      if (known) return { principal: known, setCookies: [] }
      const refusal = arrivals.newGuest(request)
      if (refusal) return refusal
      const { principal, setCookies } = await guests.signIn(request)
      return { principal, setCookies }
    },

    credentialOf(request) {
      const proof = guests.cookieOf(request) ?? bearerToken(request)
      return proof === null ? '' : digest(proof)
    },

    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async createLink(document, role, by) {
      const link = await insertLink(db, tokens, document, role, by)
      log.info({ document, link: link.id, role, by: by.id }, 'link made')
      changed(document)
      return link
    },

    async revokeLink(document, link, by) {
      if (!(await markRevoked(db, document, link))) return false
      log.info({ document, link, by: by.id }, 'link revoked')
      changed(document)
      return true
    },

    async redeem(principal, document, token) {
      const [link, role] = await Promise.all([findLink(db, token), roleOf(principal, document, token)])
      if (role === null || link?.document !== document) return null
      if (mayHoldGrants(principal) && role !== 'owner') {
        await insertGrant(db, principal, link)
        changed(document)
      }
      return role
    },

    async sharer(token) {
      const id = (await findLink(db, token))?.createdBy
      const name = id && (await namesOf(db, [id])).get(id)
      return id && name ? { id, name } : null
    },
  }
}

async function linkPrincipal(db: Kysely<Database>, token: string): Promise<Principal | null> {
  const link = await findLink(db, token)
  return link && { id: `link:${link.id}`, name: friendlyName(link.id), credential: digest(token), token }
}

/** Everybody with the same link is the same `link:` principal: a grant to one would be a grant to all, so they bring tokens. */
const mayHoldGrants = ({ token }: Principal): boolean => token === undefined

const bringsNothing = ({ headers }: DoorRequest): boolean =>
  headers.origin === undefined && headers.cookie === undefined && !isFromAnotherSite(headers)

const signInRefusal: Refusal = {
  status: 401,
  code: 'sign-in',
  message: strings.caller.signIn,
}

const originRefusal = ({ headers }: DoorRequest): Refusal => ({
  status: 403,
  code: 'origin',
  message: headers.origin
    ? strings.caller.otherOrigin(headers.origin.slice(0, 200))
    : strings.caller.noOrigin,
})
