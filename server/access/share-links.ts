/** Share links and the grants they turn into. The database has digests of tokens; share-link-tokens.ts derives the tokens again. */
import type { Kysely } from 'kysely'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Database } from '../store/schema.ts'
import { digestSecret } from './digest-secret.ts'
import type { ShareLinkTokens } from './share-link-tokens.ts'
import type { Principal, Role } from './principal.ts'

/** A link never gives ownership. */
export type ShareLinkRole = Exclude<Role, 'owner'>

export interface ShareLinkEntry {
  readonly id: string
  readonly role: ShareLinkRole
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Null when the link was created under another installation secret: it works, and cannot be shown. */
  readonly token: string | null
  /** False if nobody new comes by it. */
  readonly isOpen: boolean
  /** How many people have access by it. */
  readonly people: number
}

/** A link that was not revoked. */
export interface ActiveShareLink {
  readonly id: string
  /** Null while it lets newcomers in. */
  readonly closedAt: number | null
  readonly document: string
  readonly role: Role
  /** `Principal.id`. */
  readonly createdBy: string
}

/** Limits a document's links that are not revoked; their list is one page. */
const MAX_SHARE_LINKS = 200
/** This many revoked links are kept, so that creating and revoking links for ever fills no disk. */
const MAX_REVOKED_LINKS = 100

export class TooManyShareLinks extends Error {
  override readonly name = 'TooManyLinks'

  constructor() {
    super(apiStrings.link.tooMany(MAX_SHARE_LINKS))
  }
}

export const findShareLink = async (db: Kysely<Database>, token: string): Promise<ActiveShareLink | null> =>
  (await db
    .selectFrom('links')
    .select(['id', 'document', 'role', 'created_by as createdBy', 'closed_at as closedAt'])
    .where('token_hash', '=', digestSecret(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()) ?? null

/** @throws {TooManyShareLinks} */
export async function insertShareLink(
  db: Kysely<Database>,
  tokens: ShareLinkTokens,
  document: string,
  role: ShareLinkRole,
  creator: Principal,
): Promise<{ id: string; token: string }> {
  const { id, token } = tokens.createToken()
  const row = {
    id,
    token_hash: digestSecret(token),
    document,
    role,
    created_by: creator.id,
    created_at: Date.now(),
  }
  await db.transaction().execute(async (transaction) => {
    if ((await countShareLinks(transaction, document)) >= MAX_SHARE_LINKS) throw new TooManyShareLinks()
    await deleteOldRevokedLinks(transaction, document)
    await transaction.insertInto('links').values(row).execute()
  })
  return { id, token }
}

async function countShareLinks(db: Kysely<Database>, document: string): Promise<number> {
  const { links } = await db
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('links'))
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return links
}

export async function listShareLinks(
  db: Kysely<Database>,
  tokens: ShareLinkTokens,
  document: string,
): Promise<ShareLinkEntry[]> {
  const rows = await db
    .selectFrom('links')
    .select(['id', 'role', 'created_at', 'token_hash', 'closed_at'])
    .select((links) =>
      links
        .selectFrom('grants')
        .select(({ fn }) => fn.countAll<number>().as('people'))
        .whereRef('grants.link', '=', 'links.id')
        .where('grants.removed_at', 'is', null)
        .as('people'),
    )
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map(({ id, role, created_at, token_hash, closed_at, people }) => {
    const token = tokens.tokenOf(id)
    return {
      id,
      role: role as ShareLinkRole,
      createdAt: created_at,
      token: digestSecret(token) === token_hash ? token : null,
      isOpen: closed_at === null,
      people: people ?? 0,
    }
  })
}

/**
 * Returns the token of the edit link by which this person came, so that they can pass on what they were given. Null where no such link is
 * valid, and for one that cannot be shown.
 */
export async function findRedeemedEditToken(
  db: Kysely<Database>,
  tokens: ShareLinkTokens,
  document: string,
  principal: Principal,
): Promise<string | null> {
  const rows = await db
    .selectFrom('grants')
    .innerJoin('links', 'links.id', 'grants.link')
    .select(['links.id', 'links.token_hash'])
    .where('grants.document', '=', document)
    .where('grants.principal', '=', principal.id)
    .where('grants.removed_at', 'is', null)
    .where('links.role', '=', 'editor')
    .where('links.revoked_at', 'is', null)
    .where('links.closed_at', 'is', null)
    .orderBy('grants.created_at', 'desc')
    .limit(MAX_SHARE_LINKS)
    .execute()
  const shown = rows.find(({ id, token_hash }) => digestSecret(tokens.tokenOf(id)) === token_hash)
  return shown ? tokens.tokenOf(shown.id) : null
}

/** Returns false when the document no longer has such a link. */
export async function markShareLinkRevoked(
  db: Kysely<Database>,
  document: string,
  link: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set({ revoked_at: Date.now() })
    .where('id', '=', link)
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false when the document no longer has such a link. */
export async function setShareLinkOpen(
  db: Kysely<Database>,
  document: string,
  link: string,
  isOpen: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set({ closed_at: isOpen ? null : Date.now() })
    .where('id', '=', link)
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes all revoked links but the latest, and with them the grants that are no longer valid. */
const deleteOldRevokedLinks = (db: Kysely<Database>, document: string) =>
  db
    .deleteFrom('links')
    .where('id', 'in', (revoked) =>
      revoked
        .selectFrom('links')
        .select('id')
        .where('document', '=', document)
        .where('revoked_at', 'is not', null)
        .orderBy('revoked_at', 'desc')
        .limit(1000)
        .offset(MAX_REVOKED_LINKS),
    )
    .execute()

/** Returns false if the principal has it already. A grant names its link and counts only while the link lives, so it does no harm when the link is revoked meanwhile. */
export async function insertGrant(
  db: Kysely<Database>,
  principal: Principal,
  link: ActiveShareLink,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('grants')
    .values({
      document: link.document,
      principal: principal.id,
      link: link.id,
      role: link.role,
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['document', 'principal', 'link']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows !== 0n
}
