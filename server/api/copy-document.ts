/**
 * Copies a document's text into a new one, without comments and versions. The text is
 * merged in a worker thread, and never decoded here.
 */
import { type Kysely, sql } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import * as Y from 'yjs'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { strings } from '../../lib/strings/api.ts'
import { strings as common } from '../../lib/strings/common.ts'
import type { Principal } from '../access/principal.ts'
import { PURGED_AT, removeDocument } from '../retention/remove-document.ts'
import type { Rooms } from '../rooms/rooms.ts'
import type { MergedState, DocumentMerger } from '../store/document-merger.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentStore, SERVER_OWNER, StoreError } from '../store/store.ts'
import { type DocumentTableRow, findDocument, insertDocument, MAX_TITLE_LENGTH } from './document-rows.ts'
import { writeTitle } from './write-title.ts'

export interface CopyDependencies {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load' | 'append' | 'compact'>
  readonly merger: DocumentMerger
  readonly rooms: Pick<Rooms, 'edit'>
}

/**
 * Creates the copy as a deleted document, so that nobody sees it before it is complete, and the sweep removes it when the server
 * dies meanwhile.
 * @throws {StoreError} and leaves nothing behind.
 */
export async function copyDocument(
  dependencies: CopyDependencies,
  source: Pick<DocumentTableRow, 'id' | 'title'>,
  owner: Principal,
): Promise<DocumentTableRow> {
  const { db, rooms } = dependencies
  const text = await mergeStoredText(dependencies, source.id)
  const id = newDocumentId()
  const title = titleOfCopy(source.title)
  await insertDocument(db, id, owner, title, PURGED_AT)
  try {
    await writeCopiedText(dependencies, id, owner, text)
    await rooms.edit(id, 'body', owner, (doc) => writeTitle(doc, title))
    return await publishCopy(db, id)
  } catch (error) {
    await removeDocument(db, id, () => setImmediate())
    throw error
  }
}

/** Returns the stored size of a document's text, its log included. */
export async function storedTextBytes(db: Kysely<Database>, document: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(length("update")) from log where document = ${document} and part = 'body'), 0)
      + coalesce((select length(state) from snapshots where document = ${document} and part = 'body'), 0) as bytes
  `.execute(db)
  return rows[0]!.bytes
}

/** Merges all that is committed now, in turn with other merges of the document. */
const mergeStoredText = ({ store, merger }: CopyDependencies, document: string): Promise<MergedState> =>
  merger.runInTurn(document, async () => {
    const { updates, sequence } = await store.load(document, 'body')
    const merged = await merger.merge({ document, part: 'body', sequence, updates })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    return merged
  })

/** How many claims of client ids one append stores: a few milliseconds of the store's thread. */
const CLAIMS_PER_APPEND = 1000

/**
 * Stores the text as a snapshot with its state vector, so that opening it decodes nothing. Its client ids belong to the server, so
 * that nobody continues under them (A5).
 */
async function writeCopiedText(
  { store }: CopyDependencies,
  document: string,
  { id: principal }: Principal,
  { state, stateVector }: MergedState,
): Promise<void> {
  const clients = [...Y.decodeStateVector(stateVector).keys()]
  let sequence = 0
  for (let offset = 0; offset === 0 || offset < clients.length; offset += CLAIMS_PER_APPEND) {
    const claims = clients
      .slice(offset, offset + CLAIMS_PER_APPEND)
      .map((client) => ({ client, principal: SERVER_OWNER }))
    const edit = {
      document,
      part: 'body',
      update: EMPTY_UPDATE,
      principal,
      session: '',
      number: offset,
    } as const
    sequence = (await store.append([{ ...edit, clients: [], claims }])).at(-1)!
  }
  await store.compact(document, 'body', state, sequence, stateVector)
}

/** A Yjs update without structs and deletions. */
const EMPTY_UPDATE = Uint8Array.of(0, 0)

/** @throws {StoreError} when a sweep that was running has removed the copy. */
async function publishCopy(db: Kysely<Database>, id: string): Promise<DocumentTableRow> {
  await db.updateTable('documents').set({ deleted_at: null }).where('id', '=', id).execute()
  const row = await findDocument(db, id)
  if (!row) throw new StoreError(`The copy ${id} was removed before it was whole`)
  return row
}

const titleOfCopy = (title: string): string =>
  strings.document
    .copyOf(title.trim() || common.untitled)
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed()
