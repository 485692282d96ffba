/** The roles that somebody has on documents of others, by their links. A single role, the list and the search all ask here. */
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { digestSecret } from './digest-secret.ts'
import type { Principal } from './principal.ts'

/** By links that they redeemed. */
export const grantedRoles = (db: Kysely<Database>, { id }: Principal) =>
  db
    .selectFrom('grants')
    .innerJoin('links', 'links.id', 'grants.link')
    .select(['grants.document', 'grants.role'])
    .where('grants.principal', '=', id)
    .where('grants.removed_at', 'is', null)
    .where('links.revoked_at', 'is', null)

/** By the tokens of links. A link gives nothing to somebody whom the owner removed. */
export const linkedRoles = (db: Kysely<Database>, { id }: Principal, tokens: readonly string[]) =>
  db
    .selectFrom('links')
    .select(['links.document', 'links.role'])
    .where('links.token_hash', 'in', tokens.map(digestSecret))
    .where('links.revoked_at', 'is', null)
    .where('links.closed_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('grants')
            .select('grants.link')
            .whereRef('grants.document', '=', 'links.document')
            .whereRef('grants.link', '=', 'links.id')
            .where('grants.principal', '=', id)
            .where('grants.removed_at', 'is not', null),
        ),
      ),
    )

/** By both, once for each link. */
export const sharedRoles = (db: Kysely<Database>, principal: Principal) => {
  const granted = grantedRoles(db, principal)
  return principal.token === undefined
    ? granted
    : granted.unionAll(linkedRoles(db, principal, [principal.token]))
}
