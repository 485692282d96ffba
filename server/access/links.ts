/** Share links and the grants they turn into. The database holds digests of tokens; link-tokens.ts knows how a token is had again. */
import type { Kysely } from 'kysely'
import { strings } from '../../lib/strings/api.ts'
import type { Database } from '../store/schema.ts'
import { digest } from './digest.ts'
import type { LinkTokens } from './link-tokens.ts'
import type { Principal, Role } from './principal.ts'

/** Ownership is not given away by link. */
export type LinkRole = Exclude<Role, 'owner'>

export interface LinkEntry {
  readonly id: string
  readonly role: LinkRole
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Null where the installation had another secret when the link was made: it works, and cannot be shown. */
  readonly token: string | null
}

/** A link that was not revoked. */
export interface LiveLink {
  readonly id: string
  readonly document: string
  readonly role: Role
  /** `Principal.id`. */
  readonly createdBy: string
}

/** A document's links not revoked; the list of them is one page. */
const MAX_LINKS = 200
/** So many of those revoked stay; whoever makes and revokes links for ever fills no disk. */
const REVOKED_KEPT = 100

export class TooManyLinks extends Error {
  override readonly name = 'TooManyLinks'

  constructor() {
    super(strings.link.tooMany(MAX_LINKS))
  }
}

export const findLink = async (db: Kysely<Database>, token: string): Promise<LiveLink | null> =>
  (await db
    .selectFrom('links')
    .select(['id', 'document', 'role', 'created_by as createdBy'])
    .where('token_hash', '=', digest(token))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()) ?? null

/** @throws {TooManyLinks} */
export async function insertLink(
  db: Kysely<Database>,
  tokens: LinkTokens,
  document: string,
  role: LinkRole,
  by: Principal,
): Promise<{ id: string; token: string }> {
  const { id, token } = tokens.make()
  const row = { id, token_hash: digest(token), document, role, created_by: by.id, created_at: Date.now() }
  await db.transaction().execute(async (transaction) => {
    if ((await countLinks(transaction, document)) >= MAX_LINKS) throw new TooManyLinks()
    await forgetRevoked(transaction, document)
    await transaction.insertInto('links').values(row).execute()
  })
  return { id, token }
}

async function countLinks(db: Kysely<Database>, document: string): Promise<number> {
  const { links } = await db
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('links'))
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return links
}

export async function listLinks(
  db: Kysely<Database>,
  tokens: LinkTokens,
  document: string,
): Promise<LinkEntry[]> {
  const rows = await db
    .selectFrom('links')
    .select(['id', 'role', 'created_at', 'token_hash'])
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map(({ id, role, created_at, token_hash }) => {
    const token = tokens.of(id)
    const isItsToken = digest(token) === token_hash
    return { id, role: role as LinkRole, createdAt: created_at, token: isItsToken ? token : null }
  })
}

/** False when the document has no such link any more. */
export async function markRevoked(db: Kysely<Database>, document: string, link: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set({ revoked_at: Date.now() })
    .where('id', '=', link)
    .where('document', '=', document)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All but the latest, and with them the grants that are worth nothing any more. */
const forgetRevoked = (db: Kysely<Database>, document: string) =>
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
        .offset(REVOKED_KEPT),
    )
    .execute()

/** The grant names its link and is counted only while the link lives, so a link revoked meanwhile does no harm. */
export async function insertGrant(db: Kysely<Database>, principal: Principal, link: LiveLink): Promise<void> {
  await db
    .insertInto('grants')
    .values({
      document: link.document,
      principal: principal.id,
      link: link.id,
      role: link.role,
      created_at: Date.now(),
    })
    .onConflict((conflict) => conflict.columns(['document', 'principal', 'link']).doNothing())
    .execute()
}
