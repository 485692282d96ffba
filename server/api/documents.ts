/** The documents as rows: who owns them, what they are called, when they changed. Does not know their text. */
import { type Kysely, sql } from 'kysely'
import { digest } from '../access/digest.ts'
import { type Principal, type Role, strongest } from '../access/principal.ts'
import type { Database } from '../store/schema.ts'

export interface DocumentRow {
  readonly id: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
}

export type ListedDocument = DocumentRow & { readonly role: Role }

/** Characters kept of a title. A longer one stays whole in the text; lists show its beginning. */
export const MAX_TITLE = 300

const columns = [
  'documents.id',
  'documents.title',
  'documents.created_at',
  'documents.updated_at',
  'documents.owner',
] as const

export async function insertDocument(
  db: Kysely<Database>,
  id: string,
  owner: Principal,
  title: string,
): Promise<DocumentRow> {
  const now = Date.now()
  const row = { id, title, created_at: now, updated_at: now }
  await db
    .insertInto('documents')
    .values({ ...row, owner: owner.id })
    .execute()
  return row
}

export const findDocument = (db: Kysely<Database>, id: string): Promise<DocumentRow | undefined> =>
  live(db).where('documents.id', '=', id).executeTakeFirst()

/** Where a page of the list ends: the three that it is ordered by. */
export interface ListCursor {
  readonly updatedAt: number
  readonly createdAt: number
  readonly id: string
}

export interface ListPage {
  readonly limit: number
  /** Undefined: from the top. */
  readonly after?: ListCursor | undefined
}

/**
 * Those the principal owns, was granted by a link, or came to by its own token; the latest changed first. Of what they own no more
 * is read than the page shows.
 */
export async function listDocuments(
  db: Kysely<Database>,
  principal: Principal,
  page: ListPage,
): Promise<ListedDocument[]> {
  const [owned, granted, linked] = await Promise.all([
    pageOf(live(db), page).where('documents.owner', '=', principal.id).execute(),
    pageOf(live(db), page)
      .innerJoin('grants', 'grants.document', 'documents.id')
      .innerJoin('links', 'links.id', 'grants.link')
      // Of the two roles of links the one that comes first in the alphabet is the stronger.
      .select(sql<Role>`min(grants.role)`.as('role'))
      .where('grants.principal', '=', principal.id)
      .where('links.revoked_at', 'is', null)
      .groupBy('documents.id')
      .execute(),
    principal.token === undefined ? [] : byToken(db, principal.token, page),
  ])
  const listed = [...owned.map((row) => ({ ...row, role: 'owner' as const })), ...granted, ...linked]
  return strongestOfEach(listed).sort(latestFirst).slice(0, page.limit)
}

/** Titles are compared in any case, which SQLite knows of ASCII alone: so many rows are read at a time, and so many in all. */
const SEARCHED_AT_ONCE = 500
const MAX_SEARCHED = 10_000

/** A page of those whose title contains `query`. What lies behind the first 10,000 is not found. */
export async function searchDocuments(
  db: Kysely<Database>,
  principal: Principal,
  query: string,
  { limit, after }: ListPage,
): Promise<ListedDocument[]> {
  const wanted = query.toLowerCase()
  const found: ListedDocument[] = []
  for (let searched = 0, from = after; searched < MAX_SEARCHED; searched += SEARCHED_AT_ONCE) {
    const rows = await listDocuments(db, principal, { limit: SEARCHED_AT_ONCE, after: from })
    found.push(...rows.filter(({ title }) => title.toLowerCase().includes(wanted)))
    const last = rows.at(-1)
    if (found.length >= limit || rows.length < SEARCHED_AT_ONCE || !last) break
    from = cursorOf(last)
  }
  return found.slice(0, limit)
}

export const cursorOf = ({ updated_at, created_at, id }: DocumentRow): ListCursor => ({
  updatedAt: updated_at,
  createdAt: created_at,
  id,
})

/** For when its first content could not be written: nobody has seen it yet. */
export async function forgetDocument(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('documents').where('id', '=', id).execute()
}

export async function markDeleted(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('documents').set({ deleted_at: Date.now() }).where('id', '=', id).execute()
}

/** Keeps the title in SQL in step with the text's own, which is the truth. Rooms call it some time after their commits. */
export const projectTitle =
  (db: Kysely<Database>) =>
  async (document: string, title: string): Promise<void> => {
    await db
      .updateTable('documents')
      .set({ title: shortened(title), updated_at: Date.now() })
      .where('id', '=', document)
      .execute()
  }

const shortened = (title: string): string =>
  title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE).toWellFormed()

const live = (db: Kysely<Database>) =>
  db.selectFrom('documents').select(columns).where('documents.deleted_at', 'is', null)

const byToken = (db: Kysely<Database>, token: string, page: ListPage) =>
  pageOf(live(db), page)
    .innerJoin('links', 'links.document', 'documents.id')
    .select('links.role')
    .where('links.token_hash', '=', digest(token))
    .where('links.revoked_at', 'is', null)
    .execute()

const order = sql`(documents.updated_at, documents.created_at, documents.id)`

const pageOf = (query: ReturnType<typeof live>, { limit, after }: ListPage) => {
  const rows = query
    .orderBy('documents.updated_at', 'desc')
    .orderBy('documents.created_at', 'desc')
    .orderBy('documents.id', 'desc')
    .limit(limit)
  if (!after) return rows
  const { updatedAt, createdAt, id } = after
  return rows.where(sql<boolean>`${order} < (${updatedAt}, ${createdAt}, ${id})`)
}

const latestFirst = (a: DocumentRow, b: DocumentRow): number =>
  b.updated_at - a.updated_at || b.created_at - a.created_at || (a.id < b.id ? 1 : -1)

/** Several links may have brought the same document. */
function strongestOfEach(listed: readonly ListedDocument[]): ListedDocument[] {
  const byId = Map.groupBy(listed, ({ id }) => id)
  return [...byId.values()].map((rows) => ({ ...rows[0]!, role: strongest(rows.map(({ role }) => role))! }))
}
