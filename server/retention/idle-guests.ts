/** Finds and deletes guests who never wrote anything and stay away. It knows rows alone. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { welcomeTitle } from '../api/welcome-text.ts'
import type { Database } from '../store/schema.ts'
import { isRestorable, PURGED_AT } from './remove-document.ts'

/** How many rows one query examines: a few milliseconds of the store's thread. */
const GUESTS_PER_QUERY = 200

export interface IdleGuestPage {
  readonly guests: readonly string[]
  /** Where the next page begins; null after the last. */
  readonly next: string | null
}

/**
 * @param after better-auth's id of a guest; '' begins.
 * @param since ISO 8601: a guest who visited later stays.
 */
export async function findIdleGuests(
  db: Kysely<Database>,
  after: string,
  since: string,
): Promise<IdleGuestPage> {
  const { rows } = await sql<{ id: string; idle: number }>`
    select "user".id, case when ${isIdle(since)} then 1 else 0 end as idle
    from "user" where "user".id > ${after} order by "user".id limit ${GUESTS_PER_QUERY}
  `.execute(db)
  const guests = rows.filter(({ idle }) => idle === 1).map(({ id }) => id)
  return { guests, next: rows.length === GUESTS_PER_QUERY ? rows.at(-1)!.id : null }
}

/**
 * Deletes a guest in one transaction, which checks again, so that a guest who returned a moment ago stays. Their documents become
 * deleted ones, due at once. Returns null for a guest who stays, otherwise the ids of those documents.
 */
export const deleteIdleGuest = (
  db: Kysely<Database>,
  guest: string,
  since: string,
): Promise<readonly string[] | null> =>
  db.transaction().execute(async (transaction) => {
    const removed = await sql`delete from "user" where id = ${guest} and ${isIdle(since)}`.execute(
      transaction,
    )
    if (removed.numAffectedRows !== 1n) return null
    for (const table of ['folders', 'folder_trees'] as const)
      await transaction.deleteFrom(table).where('owner', '=', `user:${guest}`).execute()
    const documents = await transaction
      .updateTable('documents')
      .set({ deleted_at: PURGED_AT })
      .where('owner', '=', `user:${guest}`)
      .where((expression) =>
        expression.or([expression('deleted_at', 'is', null), expression('deleted_at', '>', PURGED_AT)]),
      )
      .returning('id')
      .execute()
    return documents.map(({ id }) => id)
  })

/**
 * True for a guest with no visit since then, only untouched documents, no folder, nothing shared, and no grant: without a grant they could
 * write in nobody else's document.
 */
const isIdle = (since: string): RawBuilder<boolean> => sql<boolean>`(
  "user"."isAnonymous" = 1 and "user"."createdAt" < ${since}
  and not exists (select 1 from session where session."userId" = "user".id and session."updatedAt" >= ${since})
  and not exists (select 1 from folders where folders.owner = 'user:' || "user".id and folders.deleted_at is null)
  and not exists (select 1 from grants where grants.principal = 'user:' || "user".id)
  and not exists (
    select 1 from documents where documents.owner = 'user:' || "user".id and ${isRestorable} and ${isTouched}
  )
)`

/** The server's own first edit, which writes the title and the welcome text or an empty line, has the number 1. */
const isTouched: RawBuilder<boolean> = sql<boolean>`(
  not (documents.title = '' or (documents.title = ${welcomeTitle} and documents.id = "user".welcomed))
  or exists (select 1 from links where links.document = documents.id)
  or exists (select 1 from log where log.document = documents.id and (log.part <> 'body' or log.sequence > 1))
  or exists (select 1 from snapshots where snapshots.document = documents.id and (snapshots.part <> 'body' or snapshots.sequence > 1))
)`
