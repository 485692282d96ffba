/**
 * Copies a document's text into a new one, with its files and without comments and versions. The text is merged and gets its title in a worker thread, and
 * is never decoded here.
 */
import { type Kysely, sql } from 'kysely'
import { apiStrings } from '../../lib/strings/api.ts'
import { commonStrings } from '../../lib/strings/common.ts'
import type { Principal } from '../access/principal.ts'
import type { MergedState, DocumentMerger } from '../store/document-merger.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentPart, type DocumentStore, StoreError } from '../store/store.ts'
import { createFromState } from './create-from-state.ts'
import { type DocumentTableRow, MAX_TITLE_LENGTH } from './document-rows.ts'

export interface CopyDependencies {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load' | 'append' | 'compact'>
  readonly merger: DocumentMerger
}

/** @throws {StoreError} and leaves nothing behind. */
export async function copyDocument(
  dependencies: CopyDependencies,
  source: Pick<DocumentTableRow, 'id' | 'title'>,
  owner: Principal,
  title = titleOfCopy(source.title),
): Promise<DocumentTableRow> {
  const text = await mergeStoredText(dependencies, source.id, title)
  return createFromState(dependencies, { owner, title, text, filesOf: source.id })
}

/** Returns the stored size of a document's text, its log included. */
export const storedTextBytes = (db: Kysely<Database>, document: string): Promise<number> =>
  storedPartBytes(db, document, ['body'])

/** Returns the stored size of parts of a document, their logs included. */
export async function storedPartBytes(
  db: Kysely<Database>,
  document: string,
  parts: readonly DocumentPart[],
): Promise<number> {
  const rows = await db
    .selectFrom('document_sizes')
    .select('bytes')
    .where('document', '=', document)
    .where('part', 'in', parts)
    .execute()
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Returns how much the files of a document count for its owner, and for whoever copies it. */
export async function storedFileBytes(db: Kysely<Database>, document: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('files')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .where('document', '=', document)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Merges all that is committed now, in turn with other merges of the document. @param title The one that the result gets. */
export const mergeStoredText = (
  { store, merger }: CopyDependencies,
  document: string,
  title: string | null = null,
): Promise<MergedState> =>
  merger.runInTurn(document, async () => {
    const { updates, sequence } = await store.load(document, 'body')
    const merged = await merger.merge({ document, part: 'body', sequence, updates }, { title })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    return merged
  })

const titleOfCopy = (title: string): string =>
  apiStrings.document
    .copyOf(title.trim() || commonStrings.untitled)
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed()
