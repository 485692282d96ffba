/** Removes versions without a name that are old, a few rows at a time. It knows rows alone. */
import { type Kysely, sql } from 'kysely'
import { renewVersionsSizes } from '../store/document-sizes.ts'
import type { Database } from '../store/schema.ts'
import type { PauseBetweenSteps } from './remove-document.ts'

/** How many documents one statement looks through, and how many versions it removes: each may have some MB. */
const DOCUMENTS_PER_QUERY = 200
const VERSIONS_PER_DELETE = 20

/**
 * Keeps the newest version of each document, whatever its age.
 * @param before Milliseconds since 1970.
 * @returns how many were removed.
 */
export async function removeOldVersions(
  db: Kysely<Database>,
  before: number,
  pause: PauseBetweenSteps,
): Promise<number> {
  let removed = 0
  for (let after = ''; ; await pause()) {
    const page = db
      .selectFrom('documents')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(DOCUMENTS_PER_QUERY)
    const documents = (await page.execute()).map(({ id }) => id)
    if (documents.length === 0) return removed
    for (let count = VERSIONS_PER_DELETE; count === VERSIONS_PER_DELETE; await pause()) {
      count = await removeSomeVersions(db, documents, before)
      removed += count
      if (count > 0) await renewVersionsSizes(db, documents)
    }
    after = documents.at(-1)!
  }
}

async function removeSomeVersions(
  db: Kysely<Database>,
  documents: readonly string[],
  before: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from versions where id in (
      select old.id from versions as old
      where old.document in (${sql.join(documents)}) and old.name is null and old.created_at < ${before}
        and exists (select 1 from versions as newer where newer.document = old.document
          and (newer.created_at, newer.sequence, newer.id) > (old.created_at, old.sequence, old.id))
      limit ${VERSIONS_PER_DELETE})
  `.execute(db)
  return Number(numAffectedRows)
}
