/** Where a person has put a document: a folder, their favourites, their templates. It also knows what they opened last. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { apiStrings } from '../../lib/strings/api.ts'
import type { Principal } from '../access/principal.ts'
import type { Database } from '../store/schema.ts'
import { changeOrder, isUnplaced, missingFolder } from './folders.ts'
import { OrderRefused } from './order-refused.ts'

export interface Placement {
  readonly folder: string | null
  readonly favourite: boolean
  readonly template: boolean
}

export interface PlacementChange {
  readonly folder?: string | null | undefined
  readonly favourite?: boolean | undefined
  readonly template?: boolean | undefined
  /** Notes that it was opened now. */
  readonly opened?: true | undefined
}

/** The columns of a placement, as a list of documents joins them. */
export interface PlacementRow {
  readonly folder: string | null
  readonly favourite_at: number | null
  readonly template_at: number | null
}

/** Rows of one person that say more than when a document was opened. */
const MAX_PLACED = 20_000
/** A person's documents whose opening is remembered. */
export const MAX_RECENT = 100
/** In ms: an opening soon after another one is not written. */
const OPENED_AGAIN_MS = 60_000

export const placementOf = (row: PlacementRow | undefined): Placement => ({
  folder: row?.folder ?? null,
  favourite: (row?.favourite_at ?? null) !== null,
  template: (row?.template_at ?? null) !== null,
})

/** It does not look whether the person may read the document: the caller does. */
export const findPlacement = async (
  db: Kysely<Database>,
  principal: Principal,
  document: string,
): Promise<Placement> => placementOf(await findRow(db, principal, document))

const findRow = (db: Kysely<Database>, { id }: Principal, document: string) =>
  db
    .selectFrom('placements')
    .selectAll()
    .where('principal', '=', id)
    .where('document', '=', document)
    .executeTakeFirst()

export async function changePlacement(
  db: Kysely<Database>,
  principal: Principal,
  document: string,
  change: PlacementChange,
  now: number,
): Promise<Placement> {
  const { folder, favourite, template } = change
  if (folder === undefined && favourite === undefined && template === undefined) {
    const row = await findRow(db, principal, document)
    if (!change.opened || now - (row?.opened_at ?? -Infinity) < OPENED_AGAIN_MS) return placementOf(row)
  }
  return changeOrder(db, principal, async (transaction) => {
    const before = await findRow(transaction, principal, document)
    const columns = {
      ...(folder !== undefined && { folder, former_folder: null }),
      ...(favourite !== undefined && { favourite_at: favourite ? (before?.favourite_at ?? now) : null }),
      ...(template !== undefined && { template_at: template ? (before?.template_at ?? now) : null }),
      ...(change.opened && { opened_at: now }),
    }
    if (folder) await requireFolder(transaction, principal, folder)
    const row = {
      folder: null,
      favourite_at: null,
      template_at: null,
      opened_at: null,
      ...before,
      ...columns,
    }
    if (isPlaced(row) && !(before && isPlaced(before))) await requireRoom(transaction, principal)
    await transaction
      .insertInto('placements')
      .values({ ...row, principal: principal.id, document })
      .onConflict((conflict) => conflict.columns(['principal', 'document']).doUpdateSet(columns))
      .execute()
    if (columns.opened_at !== undefined) await forgetOldOpenings(transaction, principal)
    else if (row.opened_at === null) await forgetEmptyRow(transaction, principal, document)
    return placementOf(row)
  })
}

const isPlaced = ({ folder, favourite_at, template_at }: PlacementRow): boolean =>
  folder !== null || favourite_at !== null || template_at !== null

async function requireFolder(db: Transaction<Database>, { id }: Principal, folder: string): Promise<void> {
  const row = await db
    .selectFrom('folders')
    .select('id')
    .where('id', '=', folder)
    .where('owner', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw missingFolder()
}

async function requireRoom(db: Transaction<Database>, { id }: Principal): Promise<void> {
  const { count } = await db
    .selectFrom('placements')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('principal', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_PLACED + MAX_RECENT)
    throw new OrderRefused('full', apiStrings.folder.tooManyPlaced(MAX_PLACED))
}

async function forgetEmptyRow(db: Transaction<Database>, { id }: Principal, document: string): Promise<void> {
  await db
    .deleteFrom('placements')
    .where('principal', '=', id)
    .where('document', '=', document)
    .where(isUnplaced)
    .execute()
}

async function forgetOldOpenings(db: Transaction<Database>, { id }: Principal): Promise<void> {
  const last = await db
    .selectFrom('placements')
    .select('opened_at')
    .where('principal', '=', id)
    .where('opened_at', 'is not', null)
    .orderBy('opened_at', 'desc')
    .offset(MAX_RECENT)
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  const isOld = sql<boolean>`principal = ${id} and opened_at <= ${last.opened_at}`
  await db.deleteFrom('placements').where(isOld).where(isUnplaced).execute()
  await db.updateTable('placements').set({ opened_at: null }).where(isOld).execute()
}
