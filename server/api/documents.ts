/** The documents as rows: who owns them, what they are called, when they changed. Does not know their text. */
import type { Kysely } from 'kysely'
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

/** Those the principal owns, was granted by a link, or came to by its own token; the latest changed first. */
export async function listDocuments(db: Kysely<Database>, principal: Principal): Promise<ListedDocument[]> {
  const [owned, granted, linked] = await Promise.all([
    live(db).where('documents.owner', '=', principal.id).execute(),
    live(db)
      .innerJoin('grants', 'grants.document', 'documents.id')
      .innerJoin('links', 'links.id', 'grants.link')
      .select('grants.role')
      .where('grants.principal', '=', principal.id)
      .where('links.revoked_at', 'is', null)
      .execute(),
    principal.token === undefined ? [] : byToken(db, principal.token),
  ])
  const listed = [...owned.map((row) => ({ ...row, role: 'owner' as const })), ...granted, ...linked]
  return strongestOfEach(listed).sort((a, b) => b.updated_at - a.updated_at || b.created_at - a.created_at)
}

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

const byToken = (db: Kysely<Database>, token: string) =>
  live(db)
    .innerJoin('links', 'links.document', 'documents.id')
    .select('links.role')
    .where('links.token_hash', '=', digest(token))
    .where('links.revoked_at', 'is', null)
    .execute()

/** Several links may have brought the same document. */
function strongestOfEach(listed: readonly ListedDocument[]): ListedDocument[] {
  const byId = Map.groupBy(listed, ({ id }) => id)
  return [...byId.values()].map((rows) => ({ ...rows[0]!, role: strongest(rows.map(({ role }) => role))! }))
}
