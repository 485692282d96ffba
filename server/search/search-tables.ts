/** The tables of the index as Kysely sees them. They are derived from the store: they move nowhere, and are no part of its migrations. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../store/schema.ts'

export interface SearchDatabase extends Database {
  search_texts: SearchTextsTable
  search_passages: SearchPassagesTable
  search_previews: SearchPreviewsTable
  search_links: SearchLinksTable
}

/** A row for each document that can be found. */
interface SearchTextsTable {
  id: number
  document: string
  /** `INDEX_VERSION` of the program that wrote it. */
  version: number
  /** The last log entries of the document that were read. */
  body_sequence: number
  comments_sequence: number
}

/** What is shown of a document that was found. Passage 0 is its title. */
interface SearchPassagesTable {
  text_id: number
  passage: number
  text: string
  /** With blanks around each. */
  tokens: string
}

/** The beginning of a document's text, for lists. */
interface SearchPreviewsTable {
  text_id: number
  preview: string
}

/** A document that the text leads to. It may be gone, or none. */
interface SearchLinksTable {
  text_id: number
  target: string
}

/** Raised with each change of tokens or texts: what an older program wrote is written anew. */
export const INDEX_VERSION = 3

/** The last log entry of a document's part. */
const headOf = (part: 'body' | 'comments'): RawBuilder<number> => sql<number>`coalesce(
  (select max(log.sequence) from log where log.document = documents.id and log.part = ${part}),
  (select snapshots.sequence from snapshots where snapshots.document = documents.id and snapshots.part = ${part}), 0)`

/** True where a document, joined with its row if there is one, has changed since that was written. */
export const isStale: RawBuilder<boolean> = sql<boolean>`(
  search_texts.id is null or search_texts.version < ${INDEX_VERSION}
  or search_texts.body_sequence < ${headOf('body')} or search_texts.comments_sequence < ${headOf('comments')})`
