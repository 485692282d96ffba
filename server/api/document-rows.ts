/** Documents as rows: their owners, titles and times of change. It does not know their text. */
import type { Kysely } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Database, Proposers } from '../store/schema.ts'
import { titleKey } from '../store/title-key.ts'

export interface DocumentTableRow {
  readonly id: string
  readonly title: string
  /** `Principal.id`. */
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly created_at: number
  readonly updated_at: number
  /** The document that this one proposes to change; null for any other document. */
  readonly original: string | null
  readonly proposers: Proposers
}

/** How many characters of a title the row stores. A longer one stays whole in the text; lists show its beginning. */
export const MAX_TITLE_LENGTH = 300

const documentColumns = [
  'documents.id',
  'documents.title',
  'documents.title_key',
  'documents.owner',
  'documents.created_at',
  'documents.updated_at',
  'documents.original',
  'documents.proposers',
] as const

/** @param deletedAt Set for a document that nobody may see yet. @param original Set for a proposal. */
export async function insertDocument(
  db: Kysely<Database>,
  id: string,
  owner: Principal,
  title: string,
  deletedAt: number | null = null,
  original: string | null = null,
): Promise<DocumentTableRow> {
  const now = Date.now()
  const times = { created_at: now, updated_at: now }
  const row = { id, title, owner: owner.id, ...times, original, proposers: 'editors' as const }
  await db
    .insertInto('documents')
    .values({ ...row, title_key: titleKey(title), deleted_at: deletedAt })
    .execute()
  return row
}

export const findDocument = (db: Kysely<Database>, id: string): Promise<DocumentTableRow | undefined> =>
  undeletedDocuments(db).where('documents.id', '=', id).executeTakeFirst()

/** Selects the documents that are not in the trash. */
export const undeletedDocuments = (db: Kysely<Database>) =>
  db.selectFrom('documents').select(documentColumns).where('documents.deleted_at', 'is', null)

export async function setProposers(db: Kysely<Database>, id: string, proposers: Proposers): Promise<void> {
  await db.updateTable('documents').set({ proposers }).where('id', '=', id).execute()
}

/** Deletes the row of a document whose first content could not be written: nobody has seen it yet. */
export async function deleteDocumentRow(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('documents').where('id', '=', id).execute()
}

/** Copies the title of the text, which is authoritative, into SQL. Rooms call it some time after their commits. */
export const createTitleWriter =
  (db: Kysely<Database>) =>
  async (document: string, title: string): Promise<void> => {
    const shortTitle = shortenTitle(title)
    await db
      .updateTable('documents')
      .set({ title: shortTitle, title_key: titleKey(shortTitle), updated_at: Date.now() })
      .where('id', '=', document)
      .execute()
  }

const shortenTitle = (title: string): string =>
  title.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE_LENGTH).toWellFormed()
