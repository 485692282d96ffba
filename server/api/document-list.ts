/** Lists the documents that a principal may see: filtered, sorted, searched, in pages. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { foldText } from '../../lib/protocol/fold-text.ts'
import type { Principal, Role } from '../access/principal.ts'
import { sharedRoles } from '../access/shared-roles.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentTableRow, undeletedDocuments } from './document-rows.ts'
import type { PlacementRow } from './placements.ts'

/** Each sort order has an index that begins with the person; equal documents are sorted by id. */
const sortOrders = {
  edited: { table: 'documents', column: 'updated_at', direction: 'desc' },
  title: { table: 'documents', column: 'title_key', direction: 'asc' },
  created: { table: 'documents', column: 'created_at', direction: 'desc' },
  /** Has only documents that the person opened. */
  opened: { table: 'placements', column: 'opened_at', direction: 'desc' },
} as const

export type ListSort = keyof typeof sortOrders
export const listSorts = Object.keys(sortOrders) as ListSort[]

export const listFilters = ['all', 'owned', 'shared'] as const
export type ListFilter = (typeof listFilters)[number]

/** What a person has placed there. */
export const placedFilters = ['favourites', 'templates'] as const
export type PlacedFilter = (typeof placedFilters)[number]

type ListedRow = DocumentTableRow &
  PlacementRow & { readonly title_key: string; readonly opened_at: number | null }

export type ListedDocument = ListedRow & { readonly role: Role }

/** Where a page ends: the value that it is sorted by, and the id. */
export interface ListCursor {
  readonly sort: ListSort
  readonly value: string | number
  readonly id: string
}

export interface ListPageRequest {
  readonly filter: ListFilter | PlacedFilter
  /** Only what is in this folder of the person. */
  readonly folder?: string | undefined
  readonly sort: ListSort
  readonly limit: number
  /** Only these. */
  readonly ids?: readonly string[] | undefined
  /** Undefined for the first page. */
  readonly after?: ListCursor | undefined
}

/**
 * Returns documents that the principal owns, was granted by a link, or reaches by its own token, without proposals. Of owned documents no
 * more is read than the page shows.
 */
export async function listDocuments(
  db: Kysely<Database>,
  principal: Principal,
  page: ListPageRequest,
): Promise<ListedDocument[]> {
  const { filter, sort, limit } = page
  const isIncluded = (one: 'owned' | 'shared') => filter === one || !['owned', 'shared'].includes(filter)
  const [owned, shared] = await Promise.all([
    isIncluded('owned') ? findOwnedDocuments(db, principal, page) : [],
    isIncluded('shared') ? findSharedDocuments(db, principal, page) : [],
  ])
  return [...owned, ...shared].sort(rowComparator(sort)).slice(0, limit)
}

const findOwnedDocuments = async (
  db: Kysely<Database>,
  principal: Principal,
  page: ListPageRequest,
): Promise<ListedDocument[]> => {
  const rows = await pageQuery(undeletedDocuments(db), principal, page)
    .where('documents.owner', '=', principal.id)
    .execute()
  return rows.map((row) => ({ ...row, role: 'owner' }))
}

const findSharedDocuments = (
  db: Kysely<Database>,
  principal: Principal,
  page: ListPageRequest,
): Promise<ListedDocument[]> =>
  pageQuery(undeletedDocuments(db), principal, page)
    .where('documents.owner', '!=', principal.id)
    .innerJoin(sharedRoles(db, principal).as('shared'), 'shared.document', 'documents.id')
    // The stronger of the two roles of links comes first in the alphabet.
    .select(sql<Role>`min(shared.role)`.as('role'))
    .groupBy(['documents.id', 'placements.principal', 'placements.document'])
    .execute()

/** The search reads this many rows at a time, and this many in all, because SQLite ignores case for ASCII alone and no accents. */
const SEARCH_PAGE_SIZE = 500
const MAX_SEARCHED_ROWS = 10_000

/** Returns a page of documents whose title contains `query`. It does not search beyond the first 10,000. @param onRead Called with how many were read. */
export async function searchDocuments(
  db: Kysely<Database>,
  principal: Principal,
  query: string,
  { after, ...request }: ListPageRequest,
  onRead: (rows: number) => void = () => {},
): Promise<ListedDocument[]> {
  const { sort, limit } = request
  const searchText = foldText(query)
  const found: ListedDocument[] = []
  for (let searched = 0, cursor = after; searched < MAX_SEARCHED_ROWS; searched += SEARCH_PAGE_SIZE) {
    const page = { ...request, limit: SEARCH_PAGE_SIZE, after: cursor }
    const rows = await listDocuments(db, principal, page)
    onRead(rows.length)
    found.push(...rows.filter(({ title }) => foldText(title).includes(searchText)))
    const last = rows.at(-1)
    if (found.length >= limit || rows.length < SEARCH_PAGE_SIZE || !last) break
    cursor = cursorOf(last, sort)
  }
  return found.slice(0, limit)
}

export const cursorOf = (row: ListedRow, sort: ListSort): ListCursor => ({
  sort,
  value: row[sortOrders[sort].column]!,
  id: row.id,
})

export const writeCursor = ({ sort, value, id }: ListCursor): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** Returns null for a text that no list issued. */
export function readCursor(text: string): ListCursor | null {
  try {
    const [sort, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const isValid = listSorts.includes(sort as ListSort) && typeof id === 'string'
    const hasValueType = sort === 'title' ? typeof value === 'string' : Number.isSafeInteger(value)
    return isValid && hasValueType ? ({ sort, value, id } as ListCursor) : null
  } catch {
    return null
  }
}

const pageQuery = (
  query: ReturnType<typeof undeletedDocuments>,
  principal: Principal,
  { filter, folder, sort, limit, ids, after }: ListPageRequest,
) => {
  const { table, column, direction } = sortOrders[sort]
  const sorted = sql.ref(`${table}.${column}`)
  let rows = query
    .leftJoin('placements', (join) =>
      join.onRef('placements.document', '=', 'documents.id').on('placements.principal', '=', principal.id),
    )
    .select([
      'placements.folder',
      'placements.favourite_at',
      'placements.template_at',
      'placements.opened_at',
    ])
    .where('documents.original', 'is', null)
    .orderBy(sorted, direction)
    .orderBy('documents.id', direction)
    .limit(limit)
  if (ids) rows = rows.where('documents.id', 'in', ids)
  // Each is found by its index: joined rows alone would be looked for at every document of the person.
  const placed = (condition: RawBuilder<unknown>) =>
    sql<boolean>`documents.id in (select document from placements where principal = ${principal.id} and ${condition})`
  if (folder !== undefined) rows = rows.where(placed(sql`folder = ${folder}`))
  if (filter === 'favourites') rows = rows.where(placed(sql`favourite_at is not null`))
  if (filter === 'templates') rows = rows.where(placed(sql`template_at is not null`))
  if (sort === 'opened') rows = rows.where(placed(sql`opened_at is not null`))
  if (!after) return rows
  const comparison = direction === 'asc' ? sql`>` : sql`<`
  return rows.where(sql<boolean>`(${sorted}, documents.id) ${comparison} (${after.value}, ${after.id})`)
}

/** Compares as SQLite does: numbers, and text by its bytes. */
function rowComparator(sort: ListSort): (a: ListedRow, b: ListedRow) => number {
  const { column, direction } = sortOrders[sort]
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * (compareSortValues(a[column]!, b[column]!) || compareSortValues(a.id, b.id))
}

const compareSortValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))
