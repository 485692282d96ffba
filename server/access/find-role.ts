/** Finds the role of a principal on a document. The answer null stands for missing, deleted and forbidden alike. */
import type { Kysely } from 'kysely'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import type { Database, StoredProposalState } from '../store/schema.ts'
import { type Principal, type Role, roleAllows, strongestRole } from './principal.ts'
import { grantedRoles, linkedRoles } from './shared-roles.ts'

export async function findRole(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
  token?: string,
): Promise<Role | null> {
  if (!isDocumentId(document)) return null
  const tokens = [principal.token, token].filter((each): each is string => each !== undefined && each !== '')
  const linked = linkedRoles(db, principal, tokens).where('links.document', '=', document)
  const [row, ...roles] = await Promise.all([
    findUndeletedRow(db, document),
    grantedRoles(db, principal).where('grants.document', '=', document).execute(),
    tokens.length === 0 ? [] : linked.execute(),
  ])
  if (!row) return null
  if (row.original !== null) {
    const roleInOriginal = await findRole(db, principal, row.original, token)
    return roleInOriginal && roleInProposal(row, roleInOriginal, principal)
  }
  return row.owner === principal.id ? 'owner' : strongestRole(roles.flat().map(({ role }) => role))
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
