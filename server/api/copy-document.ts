/** A new document with the text of another, comments and versions left out. Its text is merged by a thread of its own, and never decoded here. */
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
 * Nobody sees it before it is whole: until then it is a deleted document, which the sweep takes where the server dies meanwhile.
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

/** Of a document's text, its log included. */
export async function storedTextBytes(db: Kysely<Database>, document: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(length("update")) from log where document = ${document} and part = 'body'), 0)
      + coalesce((select length(state) from snapshots where document = ${document} and part = 'body'), 0) as bytes
  `.execute(db)
  return rows[0]!.bytes
}

/** Of all that is committed by now. In turn with whatever else is being merged. */
const mergeStoredText = ({ store, merger }: CopyDependencies, document: string): Promise<MergedState> =>
  merger.runInTurn(document, async () => {
    const { updates, sequence } = await store.load(document, 'body')
    const merged = await merger.merge({ document, part: 'body', sequence, updates })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    return merged
  })

/** Claims of client ids that are stored at once: a few milliseconds of the store's thread. */
const CLAIMS_PER_APPEND = 1000

/** As a snapshot with its state vector, so that whoever opens it decodes nothing. Its client ids are the server's: nobody writes on under them (A5). */
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

/** @throws {StoreError} where a sweep that was under way has taken it. */
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
