/** The people who came to a document by its links, and their removal. Knows rows; does not know who may do this. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/schema.ts'
import { findPrincipalNames } from './principal-names.ts'
import type { ShareLinkRole } from './share-links.ts'

export interface PersonWithAccess {
  /** `Principal.id` */
  readonly id: string
  /** Empty for a person who no longer exists. */
  readonly name: string
  readonly role: ShareLinkRole
  /** When they first came, in ms since 1970. */
  readonly joinedAt: number
}

/** Where a page ends. */
export type PeopleCursor = Pick<PersonWithAccess, 'id' | 'joinedAt'>

/** Who came last is the first. @param after The last person of the page before. */
export async function listPeopleWithAccess(
  db: Kysely<Database>,
  document: string,
  limit: number,
  after?: PeopleCursor,
): Promise<PersonWithAccess[]> {
  const joinedAt = sql<number>`min(grants.created_at)`
  const rows = await db
    .selectFrom('grants')
    .innerJoin('links', 'links.id', 'grants.link')
    .select(['grants.principal as id', joinedAt.as('joinedAt')])
    // The stronger of the two roles of links comes first in the alphabet.
    .select(sql<ShareLinkRole>`min(grants.role)`.as('role'))
    .where('grants.document', '=', document)
    .where('grants.removed_at', 'is', null)
    .where('links.revoked_at', 'is', null)
    .groupBy('grants.principal')
    .$if(after !== undefined, (query) =>
      query.having(sql<boolean>`(${joinedAt}, grants.principal) < (${after?.joinedAt}, ${after?.id})`),
    )
    .orderBy('joinedAt', 'desc')
    .orderBy('grants.principal', 'desc')
    .limit(limit)
    .execute()
  const names = await findPrincipalNames(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, name: names.get(row.id) ?? '' }))
}

/**
 * Makes all links that the document has by now void for this person. Their grants stay as rows: they name who may have written here.
 * Returns false if the person had no access by a link.
 */
export const removePerson = (db: Kysely<Database>, document: string, person: string): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const granted = await transaction
      .selectFrom('grants')
      .innerJoin('links', 'links.id', 'grants.link')
      .select('grants.link')
      .where('grants.document', '=', document)
      .where('grants.principal', '=', person)
      .where('grants.removed_at', 'is', null)
      .where('links.revoked_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (!granted) return false
    await insertRemovedGrants(transaction, document, person)
    return true
  })

const insertRemovedGrants = (
  db: Kysely<Database>,
  document: string,
  person: string,
  removedAt = Date.now(),
) =>
  db
    .insertInto('grants')
    .columns(['document', 'principal', 'link', 'role', 'created_at', 'removed_at'])
    .expression((links) =>
      links
        .selectFrom('links')
        .select([
          'document',
          sql<string>`cast(${person} as text)`.as('principal'),
          'id as link',
          'role',
          sql<number>`cast(${removedAt} as bigint)`.as('created_at'),
          sql<number>`cast(${removedAt} as bigint)`.as('removed_at'),
        ])
        .where('document', '=', document)
        .where('revoked_at', 'is', null),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['document', 'principal', 'link'])
        .doUpdateSet(({ ref }) => ({ removed_at: ref('excluded.removed_at') })),
    )
    .execute()
