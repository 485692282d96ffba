/** Documents in the trash, as rows: only their owner sees them, and nobody opens them. */
import { type Kysely, sql } from 'kysely'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import { PURGED_AT } from '../retention/remove-document.ts'
import type { Database } from '../store/schema.ts'

export interface TrashedRow {
  readonly id: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly deleted_at: number
}

/** Where a page of the trash ends. */
export interface TrashCursor {
  readonly deletedAt: number
  readonly id: string
}

interface TrashPageRequest {
  readonly limit: number
  /** Undefined for the first page. */
  readonly after?: TrashCursor | undefined
}

export async function moveToTrash(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('documents')
    .set({ deleted_at: Date.now() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

const trashedDocuments = (db: Kysely<Database>, owner: Principal) =>
  db
    .selectFrom('documents')
    .select(['id', 'title', sql<number>`deleted_at`.as('deleted_at')])
    .where('owner', '=', owner.id)
    .where('deleted_at', '>', PURGED_AT)

/** Finds a document in the owner's trash. */
export const findTrashed = (
  db: Kysely<Database>,
  owner: Principal,
  id: string,
): Promise<TrashedRow | undefined> => trashedDocuments(db, owner).where('id', '=', id).executeTakeFirst()

/** Returns the latest deleted first. */
export function listTrash(
  db: Kysely<Database>,
  owner: Principal,
  { limit, after }: TrashPageRequest,
): Promise<TrashedRow[]> {
  const rows = trashedDocuments(db, owner).orderBy('deleted_at', 'desc').orderBy('id', 'desc').limit(limit)
  const page = after && rows.where(sql<boolean>`(deleted_at, id) < (${after.deletedAt}, ${after.id})`)
  return (page ?? rows).execute()
}

/**
 * Restores a document with all that belongs to it, since none of it was removed. Returns false
 * when the owner has no such document in the trash.
 */
export const restoreFromTrash = (db: Kysely<Database>, owner: Principal, id: string): Promise<boolean> =>
  changeTrashed(db, owner, id, null)

/**
 * Marks the document so that it cannot be restored and the next sweep removes it. Returns false
 * when the owner has no such document in the trash.
 */
export const purgeFromTrash = (db: Kysely<Database>, owner: Principal, id: string): Promise<boolean> =>
  changeTrashed(db, owner, id, PURGED_AT)

async function changeTrashed(
  db: Kysely<Database>,
  owner: Principal,
  id: string,
  deletedAt: number | null,
): Promise<boolean> {
  if (!isDocumentId(id)) return false
  const { numUpdatedRows } = await db
    .updateTable('documents')
    .set({ deleted_at: deletedAt })
    .where('id', '=', id)
    .where('owner', '=', owner.id)
    .where('deleted_at', '>', PURGED_AT)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
