/** Finds the role of a principal on a document. The answer null stands for missing, deleted and forbidden alike. */
import type { Kysely } from 'kysely'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import type { Database } from '../store/schema.ts'
import { digestSecret } from './digest-secret.ts'
import { type Principal, type Role, strongestRole } from './principal.ts'

export async function findRole(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
  token?: string,
): Promise<Role | null> {
  if (!isDocumentId(document)) return null
  const tokens = [principal.token, token].filter((each): each is string => each !== undefined && each !== '')
  const [owner, granted, linked] = await Promise.all([
    findOwner(db, document),
    findGrantedRoles(db, principal, document),
    findShareLinkRoles(db, principal, document, tokens),
  ])
  if (owner === null) return null
  return owner === principal.id ? 'owner' : strongestRole([...granted, ...linked])
}

/** Returns null for a missing document and a deleted one. */
async function findOwner(db: Kysely<Database>, document: string): Promise<string | null> {
  const row = await db
    .selectFrom('documents')
    .select('owner')
    .where('id', '=', document)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.owner ?? null
}

async function findGrantedRoles(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
): Promise<Role[]> {
  const rows = await db
    .selectFrom('grants')
    .innerJoin('links', 'links.id', 'grants.link')
    .select('grants.role')
    .where('grants.document', '=', document)
    .where('grants.principal', '=', principal.id)
    .where('grants.removed_at', 'is', null)
    .where('links.revoked_at', 'is', null)
    .execute()
  return rows.map(({ role }) => role)
}

/** A link gives nothing to somebody whom the owner removed. */
async function findShareLinkRoles(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
  tokens: readonly string[],
): Promise<Role[]> {
  if (tokens.length === 0) return []
  const rows = await db
    .selectFrom('links')
    .select('links.role')
    .where('links.token_hash', 'in', tokens.map(digestSecret))
    .where('links.document', '=', document)
    .where('links.revoked_at', 'is', null)
    .where('links.closed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('grants')
            .select('grants.link')
            .whereRef('grants.document', '=', 'links.document')
            .whereRef('grants.link', '=', 'links.id')
            .where('grants.principal', '=', principal.id)
            .where('grants.removed_at', 'is not', null),
        ),
      ),
    )
    .execute()
  return rows.map(({ role }) => role)
}
