/** Composes access: who makes the request (guests, links), from which page (origin), with which role (roles). */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Database } from '../store/schema.ts'
import { type Access, type AccessRequest, isAccessRefusal, type AccessRefusal } from './access.ts'
import type { AccessRateLimits } from './access-rate-limits.ts'
import { createDeviceTickets, type DeviceTickets } from './device-tickets.ts'
import { digestSecret } from './digest-secret.ts'
import { createGuests, type Guest } from './guests.ts'
import {
  findShareLink,
  insertGrant,
  insertShareLink,
  type ShareLinkEntry,
  type ShareLinkRole,
  findRedeemedEditToken,
  listShareLinks,
  markShareLinkRevoked,
  setShareLinkOpen,
} from './share-links.ts'
import { createShareLinkTokens } from './share-link-tokens.ts'
import { friendlyName } from './friendly-names.ts'
import { bearerToken, createOriginCheck, isFromAnotherSite, type OriginRules } from './origin.ts'
import {
  listPeopleWithAccess,
  type PeopleCursor,
  type PersonWithAccess,
  removePerson,
} from './people-with-access.ts'
import { findPrincipalNames } from './principal-names.ts'
import type { Principal, Role } from './principal.ts'
import { createProfileStore, type ProfileStore } from './profiles.ts'
import { findRole } from './find-role.ts'

export interface AccessDependencies extends OriginRules {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** Signs cookies; share links' tokens are derived from it. */
  readonly secret: Buffer
  readonly rateLimits: AccessRateLimits
}

/** Access, and what pages and the HTTP API need of it beyond the gateways. */
export interface AccessService extends Access {
  /**
   * Serves a page. Returns null when the request has a valid session cookie. Otherwise it gives one to a new guest (`isNew`), whom
   * the first call of `admit` with it stores, or renews one that is more than a day old: send `setCookies` with the answer. Does
   * not check Origin.
   */
  issueOrRenewGuest(request: AccessRequest): Promise<Guest | null>
  /** Returns who has a session that is stored; null for anybody else. Does not check Origin. */
  findPerson(request: AccessRequest): Promise<Principal | null>
  /**
   * Serves POST /api/documents: admits a request with a valid session cookie, and creates a guest for any other. Origin is checked
   * as in `admit`, but a program's first call, with no Origin, cookie or token, is admitted, because it has nothing that another
   * page could abuse: a browser always sends an Origin with a POST.
   */
  admitOrCreateGuest(
    request: AccessRequest,
  ): Promise<{ principal: Principal; setCookies: string[] } | AccessRefusal>
  /** Limits for routes that create or look up something. */
  readonly rateLimits: AccessRateLimits
  /** The names and colours that people choose. */
  readonly profiles: ProfileStore
  /** Sign in another device of the same person. They do not check Origin. */
  readonly deviceTickets: DeviceTickets
  /** @throws {TooManyShareLinks} */
  createShareLink(
    document: string,
    role: ShareLinkRole,
    by: Principal,
  ): Promise<{ id: string; token: string }>
  /** Returns the links not revoked, oldest first, with their tokens; only the owner may see them. */
  listShareLinks(document: string): Promise<ShareLinkEntry[]>
  /** Returns the token of the edit link by which this person came, or null. */
  findRedeemedEditToken(document: string, principal: Principal): Promise<string | null>
  /** Returns false when the document no longer has such a link. */
  revokeShareLink(document: string, link: string, by: Principal): Promise<boolean>
  /** Lets nobody new come by the link, or somebody again; who came by it keeps their access. Returns false when there is no such link. */
  setShareLinkOpen(document: string, link: string, isOpen: boolean, by: Principal): Promise<boolean>
  /** Returns the people who came by links, the latest first. */
  listPeopleWithAccess(document: string, limit: number, after?: PeopleCursor): Promise<PersonWithAccess[]>
  /**
   * Takes their access from a person who came by links: they come back only by a link that is made later. Returns false for anybody
   * else.
   */
  removePerson(document: string, person: string, by: Principal): Promise<boolean>
  /**
   * Turns a link's token into a grant that ends with the link. Returns the role then held, or
   * null when the token is not of this document.
   */
  redeemShareLink(principal: Principal, document: string, token: string): Promise<Role | null>
  /** Returns who created the link, or null when there is no such link or person. */
  findShareLinkCreator(token: string): Promise<{ id: string; name: string } | null>
  /** Notifies the listeners of `onChanged`; called by whoever deletes a document. */
  notifyChanged(document: string): void
}

export async function createAccess(dependencies: AccessDependencies): Promise<AccessService> {
  const { db, log, secret, rateLimits } = dependencies
  const profiles = createProfileStore(db)
  const guests = createGuests({ db, log, secret, profiles })
  const tokens = createShareLinkTokens(secret)
  const isOriginAllowed = createOriginCheck(dependencies)
  const listeners = new Set<Parameters<Access['onChanged']>[0]>()

  function notifyChanged(document: string): void {
    listeners.forEach((listener) => listener(document))
    findProposalsOf(db, document)
      .then((ids) => ids.forEach((id) => listeners.forEach((listener) => listener(id, true))))
      .catch((err: unknown) =>
        log.error({ document, err }, 'the rights in proposals were not looked at again'),
      )
  }

  const roleOf = (principal: Principal, document: string, token?: string) =>
    findRole(db, principal, document, token)

  const withAddress = (request: AccessRequest, principal: Principal): Principal => ({
    ...principal,
    address: rateLimits.addressOf(request),
  })

  const principalByCookie = async (request: AccessRequest): Promise<Principal | AccessRefusal | null> =>
    (await guests.identify(request)) ??
    guests.storeOnFirstUse(request, () => rateLimits.takeNewGuest(request))

  async function principalByToken(
    request: AccessRequest,
    token: string,
  ): Promise<Principal | AccessRefusal | null> {
    const refusal = rateLimits.checkGuessLimit(request)
    if (refusal) return refusal
    const principal = await findLinkPrincipal(db, token)
    if (!principal) rateLimits.countWrongGuess(request)
    return principal
  }

  const identify = async (request: AccessRequest): Promise<Principal | AccessRefusal | null> => {
    if (guests.cookieOf(request) !== null) return principalByCookie(request)
    const token = bearerToken(request)
    return token === null ? null : principalByToken(request, token)
  }

  return {
    roleOf,
    notifyChanged,
    rateLimits,
    profiles,
    isOriginAllowed: (request) => isOriginAllowed(request),
    deviceTickets: createDeviceTickets({ db, guests, log }),
    issueOrRenewGuest: (request) => guests.issueOrRenew(request),

    async findPerson(request) {
      const person = await guests.identify(request)
      return person && withAddress(request, person)
    },

    listShareLinks: (document) => listShareLinks(db, tokens, document),

    findRedeemedEditToken: (document, principal) => findRedeemedEditToken(db, tokens, document, principal),

    async admit(request, options) {
      if (!isOriginAllowed(request, options)) return originRefusal(request)
      const caller = (await identify(request)) ?? signInRefusal
      return isAccessRefusal(caller) ? caller : withAddress(request, caller)
    },

    async admitOrCreateGuest(request) {
      if (!isOriginAllowed(request) && !hasNoCredentials(request)) return originRefusal(request)
      const existing = await principalByCookie(request)
      if (existing && isAccessRefusal(existing)) return existing
      if (existing) return { principal: withAddress(request, existing), setCookies: [] }
      const refusal = rateLimits.takeNewGuest(request)
      if (refusal) return refusal
      const { principal, setCookies } = await guests.createGuest(request)
      return { principal: withAddress(request, principal), setCookies }
    },

    credentialOf(request) {
      const proof = guests.cookieOf(request) ?? bearerToken(request)
      return proof === null ? '' : digestSecret(proof)
    },

    onChanged(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async createShareLink(document, role, by) {
      const link = await insertShareLink(db, tokens, document, role, by)
      log.info({ document, link: link.id, role, by: by.id }, 'link made')
      return link
    },

    async revokeShareLink(document, link, by) {
      if (!(await markShareLinkRevoked(db, document, link))) return false
      log.info({ document, link, by: by.id }, 'link revoked')
      notifyChanged(document)
      return true
    },

    async setShareLinkOpen(document, link, isOpen, by) {
      if (!(await setShareLinkOpen(db, document, link, isOpen))) return false
      log.info({ document, link, by: by.id }, isOpen ? 'link opened' : 'link closed')
      notifyChanged(document)
      return true
    },

    listPeopleWithAccess: (...page) => listPeopleWithAccess(db, ...page),

    async removePerson(document, person, by) {
      if (!(await removePerson(db, document, person))) return false
      log.info({ document, person, by: by.id }, 'person removed')
      notifyChanged(document)
      return true
    },

    async redeemShareLink(principal, document, token) {
      const [link, role] = await Promise.all([findShareLink(db, token), roleOf(principal, document, token)])
      if (role === null || link?.document !== document) return null
      if (canHoldGrants(principal) && role !== 'owner' && link.closedAt === null) {
        if (await insertGrant(db, principal, link)) notifyChanged(document)
      }
      return role
    },

    async findShareLinkCreator(token) {
      const id = (await findShareLink(db, token))?.createdBy
      const name = id && (await findPrincipalNames(db, [id])).get(id)
      return id && name ? { id, name } : null
    },
  }
}

/** Finds the proposals to change a document, open and closed. */
async function findProposalsOf(db: Kysely<Database>, original: string): Promise<string[]> {
  const rows = await db
    .selectFrom('documents')
    .select('id')
    .where('original', '=', original)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

async function findLinkPrincipal(db: Kysely<Database>, token: string): Promise<Principal | null> {
  const link = await findShareLink(db, token)
  if (link?.closedAt !== null) return null
  return { id: `link:${link.id}`, name: friendlyName(link.id), credential: digestSecret(token), token }
}

/**
 * Everybody with the same link is the same `link:` principal, and a grant to one would be a
 * grant to all, so they present tokens instead.
 */
const canHoldGrants = ({ token }: Principal): boolean => token === undefined

const hasNoCredentials = ({ headers }: AccessRequest): boolean =>
  headers.origin === undefined && headers.cookie === undefined && !isFromAnotherSite(headers)

const signInRefusal: AccessRefusal = {
  status: 401,
  code: 'sign-in',
  message: apiStrings.caller.signIn,
}

const originRefusal = ({ headers }: AccessRequest): AccessRefusal => ({
  status: 403,
  code: 'origin',
  message: headers.origin
    ? apiStrings.caller.otherOrigin(headers.origin.slice(0, 200))
    : apiStrings.caller.noOrigin,
})
