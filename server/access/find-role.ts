/** Finds the role of a principal on a document. The answer null stands for missing, deleted and forbidden alike. */
import type { Kysely } from 'kysely'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import type { Database, StoredProposalState } from '../store/schema.ts'
import { digestSecret } from './digest-secret.ts'
import { type Principal, type Role, roleAllows, strongestRole } from './principal.ts'

export async function findRole(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
  token?: string,
): Promise<Role | null> {
  if (!isDocumentId(document)) return null
  const tokens = [principal.token, token].filter((each): each is string => each !== undefined && each !== '')
  const [row, granted, linked] = await Promise.all([
    findUndeletedRow(db, document),
    findGrantedRoles(db, principal, document),
    findShareLinkRoles(db, principal, document, tokens),
  ])
  if (!row) return null
  if (row.original !== null) {
    const roleInOriginal = await findRole(db, principal, row.original, token)
    return roleInOriginal && roleInProposal(row, roleInOriginal, principal)
  }
  return row.owner === principal.id ? 'owner' : strongestRole([...granted, ...linked])
}

const findUndeletedRow = (db: Kysely<Database>, document: string) =>
  db
    .selectFrom('documents')
    .leftJoin('proposals', 'proposals.document', 'documents.id')
    .select(['documents.owner', 'documents.original', 'proposals.state'])
    .where('documents.id', '=', document)
    .where('documents.deleted_at', 'is', null)
    .executeTakeFirst()

/** A proposal has no links and no owner of its own: whoever may read the original reads it, and its author writes with the editors. */
function roleInProposal(
  { owner: author, state }: { readonly owner: string; readonly state: StoredProposalState | null },
  roleInOriginal: Role,
  principal: Principal,
): Role {
  const mayWrite = author === principal.id || roleAllows(roleInOriginal, 'write')
  return state === 'open' && mayWrite ? 'editor' : 'viewer'
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
