/** The list of documents that a principal may see: filtered, sorted, searched, in pages. */
import { type Kysely, sql } from 'kysely'
import { digest } from '../access/digest.ts'
import { type Principal, type Role, strongest } from '../access/principal.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentRow, liveDocuments } from './documents.ts'

/** Each has an index that begins with the owner; documents that are equal are sorted by id. */
const orders = {
  edited: { column: 'updated_at', direction: 'desc' },
  title: { column: 'title_key', direction: 'asc' },
  created: { column: 'created_at', direction: 'desc' },
} as const

export type ListSort = keyof typeof orders
export const listSorts = Object.keys(orders) as ListSort[]

export const listFilters = ['all', 'owned', 'shared'] as const
export type ListFilter = (typeof listFilters)[number]

type ListedRow = DocumentRow & { readonly title_key: string }

export type ListedDocument = ListedRow & { readonly role: Role }

/** Where a page ends: what it is sorted by, and the id. */
export interface ListCursor {
  readonly sort: ListSort
  readonly value: string | number
  readonly id: string
}

export interface ListPage {
  readonly filter: ListFilter
  readonly sort: ListSort
  readonly limit: number
  /** Undefined: from the top. */
  readonly after?: ListCursor | undefined
}

/**
 * Those the principal owns, was granted by a link, or came to by its own token. Of what they own no more is read than the page shows.
 */
export async function listDocuments(
  db: Kysely<Database>,
  principal: Principal,
  page: ListPage,
): Promise<ListedDocument[]> {
  const { filter, sort, limit } = page
  const isShown = (one: ListFilter) => filter === 'all' || filter === one
  const [owned, shared] = await Promise.all([
    isShown('owned') ? ownedDocuments(db, principal, page) : [],
    isShown('shared') ? sharedDocuments(db, principal, page) : [],
  ])
  return [...owned, ...strongestOfEach(shared)].sort(comparing(sort)).slice(0, limit)
}

const ownedDocuments = async (
  db: Kysely<Database>,
  principal: Principal,
  page: ListPage,
): Promise<ListedDocument[]> => {
  const rows = await pageOf(liveDocuments(db), page).where('documents.owner', '=', principal.id).execute()
  return rows.map((row) => ({ ...row, role: 'owner' }))
}

const sharedDocuments = async (
  db: Kysely<Database>,
  principal: Principal,
  page: ListPage,
): Promise<ListedDocument[]> => {
  const others = pageOf(liveDocuments(db), page).where('documents.owner', '!=', principal.id)
  const granted = others
    .innerJoin('grants', 'grants.document', 'documents.id')
    .innerJoin('links', 'links.id', 'grants.link')
    // Of the two roles of links the one that comes first in the alphabet is the stronger.
    .select(sql<Role>`min(grants.role)`.as('role'))
    .where('grants.principal', '=', principal.id)
    .where('links.revoked_at', 'is', null)
    .groupBy('documents.id')
  const { token } = principal
  const linked = token === undefined ? [] : byToken(others, token).execute()
  return [...(await granted.execute()), ...(await linked)]
}

const byToken = (query: ReturnType<typeof pageOf>, token: string) =>
  query
    .innerJoin('links', 'links.document', 'documents.id')
    .select('links.role')
    .where('links.token_hash', '=', digest(token))
    .where('links.revoked_at', 'is', null)

/** Titles are compared in any case, which SQLite knows of ASCII alone: so many rows are read at a time, and so many in all. */
const SEARCHED_AT_ONCE = 500
const MAX_SEARCHED = 10_000

/** A page of those whose title contains `query`. What lies behind the first 10,000 is not found. */
export async function searchDocuments(
  db: Kysely<Database>,
  principal: Principal,
  query: string,
  { filter, sort, limit, after }: ListPage,
): Promise<ListedDocument[]> {
  const wanted = query.toLowerCase()
  const found: ListedDocument[] = []
  for (let searched = 0, from = after; searched < MAX_SEARCHED; searched += SEARCHED_AT_ONCE) {
    const page = { filter, sort, limit: SEARCHED_AT_ONCE, after: from }
    const rows = await listDocuments(db, principal, page)
    found.push(...rows.filter(({ title }) => title.toLowerCase().includes(wanted)))
    const last = rows.at(-1)
    if (found.length >= limit || rows.length < SEARCHED_AT_ONCE || !last) break
    from = cursorOf(last, sort)
  }
  return found.slice(0, limit)
}

export const cursorOf = (row: ListedRow, sort: ListSort): ListCursor => ({
  sort,
  value: row[orders[sort].column],
  id: row.id,
})

export const writeCursor = ({ sort, value, id }: ListCursor): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

/** Null for what no list gave. */
export function readCursor(text: string): ListCursor | null {
  try {
    const [sort, value, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const isSound = listSorts.includes(sort as ListSort) && typeof id === 'string'
    const fits = sort === 'title' ? typeof value === 'string' : Number.isSafeInteger(value)
    return isSound && fits ? ({ sort, value, id } as ListCursor) : null
  } catch {
    return null
  }
}

const pageOf = (query: ReturnType<typeof liveDocuments>, { sort, limit, after }: ListPage) => {
  const { column, direction } = orders[sort]
  const rows = query.orderBy(`documents.${column}`, direction).orderBy('documents.id', direction).limit(limit)
  if (!after) return rows
  const place = sql`(${sql.ref(`documents.${column}`)}, documents.id)`
  const isBehind = direction === 'asc' ? sql`>` : sql`<`
  return rows.where(sql<boolean>`${place} ${isBehind} (${after.value}, ${after.id})`)
}

/** As SQLite compares: numbers, and text by its bytes. */
function comparing(sort: ListSort): (a: ListedRow, b: ListedRow) => number {
  const { column, direction } = orders[sort]
  const sign = direction === 'asc' ? 1 : -1
  return (a, b) => sign * (compare(a[column], b[column]) || compare(a.id, b.id))
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))

/** Several links may have brought the same document. */
function strongestOfEach(listed: readonly ListedDocument[]): ListedDocument[] {
  const byId = Map.groupBy(listed, ({ id }) => id)
  return [...byId.values()].map((rows) => ({ ...rows[0]!, role: strongest(rows.map(({ role }) => role))! }))
}
