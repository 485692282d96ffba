/**
 * Removes files that neither the text of their document nor a version of it has named for a month, or as a setting says: until then an undo, or a window that was
 * offline, may bring them back. Each document is searched once a day at most. It knows ids and bytes; it does not know blocks.
 */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { PauseBetweenSteps } from '../retention/remove-document.ts'
import { renewFilesSize } from '../store/document-sizes.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentStore, StoreError } from '../store/store.ts'
import { createVersionsTable } from '../versions/versions-table.ts'
import { findIds } from './find-ids.ts'

const DAY_MS = 24 * 3600_000

const inflate = promisify(gunzip)

export interface UnusedFilesOptions {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load'>
  readonly now?: () => number
  /** Null to keep them for good. */
  readonly unusedFilesKeptDays?: number | null
}

/** Returns how many were removed. */
export async function removeUnusedFiles(
  { db, store, now = Date.now, unusedFilesKeptDays = 30 }: UnusedFilesOptions,
  pause: PauseBetweenSteps,
): Promise<number> {
  let removed = 0
  for (const startedAt = now(); ; await pause()) {
    const document = await findDocumentToSearch(db, startedAt - DAY_MS)
    if (document === null) return removed
    const rows = await db.selectFrom('files').select('id').where('document', '=', document).execute()
    const unused = new Set(rows.map(({ id }) => id))
    await removeUsed(db, store, document, unused, pause).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error
      // What cannot be read may name any file (D4).
      unused.clear()
    })
    await recordSearch(db, document, unused, startedAt)
    if (unusedFilesKeptDays !== null)
      removed += await removeLongUnused(db, document, startedAt - unusedFilesKeptDays * DAY_MS)
  }
}

async function findDocumentToSearch(db: Kysely<Database>, before: number): Promise<string | null> {
  const row = await db
    .selectFrom('files')
    .select('document')
    .where('looked_for_at', '<=', before)
    .orderBy('looked_for_at')
    .limit(1)
    .executeTakeFirst()
  return row?.document ?? null
}

/** Versions are read one by one, and only while something is missing. */
async function removeUsed(
  db: Kysely<Database>,
  store: Pick<DocumentStore, 'load'>,
  document: string,
  unused: Set<string>,
  pause: PauseBetweenSteps,
): Promise<void> {
  const { updates } = await store.load(document, 'body')
  for (const update of updates) await findIds(update, unused)
  const versions = createVersionsTable(db)
  if (unused.size === 0) return
  for (const { id } of await versions.list(document)) {
    if (unused.size === 0) return
    await pause()
    const state = await versions.state(document, id)
    if (state) await findIds(await inflateState(state), unused)
  }
}

const inflateState = (state: Uint8Array): Promise<Buffer> =>
  inflate(state, { maxOutputLength: MAX_MESSAGE_BYTES }).catch((cause: unknown) => {
    throw new StoreError('A version cannot be inflated', { cause })
  })

async function recordSearch(
  db: Kysely<Database>,
  document: string,
  unused: ReadonlySet<string>,
  at: number,
): Promise<void> {
  const isUnused = unused.size > 0 ? sql<boolean>`id in (${sql.join([...unused])})` : sql<boolean>`1 = 0`
  await sql`
    update files set looked_for_at = ${at},
      unused_since = case when ${isUnused} then coalesce(unused_since, ${at}) else null end
    where document = ${document} and looked_for_at <= ${at}
  `.execute(db)
}

const removeLongUnused = (db: Kysely<Database>, document: string, before: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('files')
      .where('document', '=', document)
      .where('unused_since', '<=', before)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await renewFilesSize(transaction, document)
    return Number(numDeletedRows)
  })
