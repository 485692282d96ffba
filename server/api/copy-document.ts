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
import { type DocumentRow, findDocument, insertDocument, MAX_TITLE } from './documents.ts'
import { writeTitle } from './title.ts'

export interface CopyParts {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load' | 'append' | 'compact'>
  readonly merging: DocumentMerger
  readonly rooms: Pick<Rooms, 'edit'>
}

/**
 * Nobody sees it before it is whole: until then it is a deleted document, which the sweep takes where the server dies meanwhile.
 * @throws {StoreError} and leaves nothing behind.
 */
export async function copyDocument(
  parts: CopyParts,
  source: Pick<DocumentRow, 'id' | 'title'>,
  owner: Principal,
): Promise<DocumentRow> {
  const { db, rooms } = parts
  const text = await mergedText(parts, source.id)
  const id = newDocumentId()
  const title = titleOfCopy(source.title)
  await insertDocument(db, id, owner, title, PURGED_AT)
  try {
    await writeText(parts, id, owner, text)
    await rooms.edit(id, 'body', owner, (doc) => writeTitle(doc, title))
    return await publish(db, id)
  } catch (error) {
    await removeDocument(db, id, () => setImmediate())
    throw error
  }
}

/** Of a document's text, its log included. */
export async function storedBytes(db: Kysely<Database>, document: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce((select sum(length("update")) from log where document = ${document} and part = 'body'), 0)
      + coalesce((select length(state) from snapshots where document = ${document} and part = 'body'), 0) as bytes
  `.execute(db)
  return rows[0]!.bytes
}

/** Of all that is committed by now. In turn with whatever else is being merged. */
const mergedText = ({ store, merging }: CopyParts, document: string): Promise<MergedState> =>
  merging.runInTurn(document, async () => {
    const { updates, sequence } = await store.load(document, 'body')
    const merged = await merging.merge({ document, part: 'body', sequence, updates })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    return merged
  })

/** Claims of client ids that are stored at once: a few milliseconds of the store's thread. */
const CLAIMS_AT_ONCE = 1000

/** As a snapshot with its state vector, so that whoever opens it decodes nothing. Its client ids are the server's: nobody writes on under them (A5). */
async function writeText(
  { store }: CopyParts,
  document: string,
  { id: principal }: Principal,
  { state, stateVector }: MergedState,
): Promise<void> {
  const clients = [...Y.decodeStateVector(stateVector).keys()]
  let sequence = 0
  for (let first = 0; first === 0 || first < clients.length; first += CLAIMS_AT_ONCE) {
    const claims = clients
      .slice(first, first + CLAIMS_AT_ONCE)
      .map((client) => ({ client, principal: SERVER_OWNER }))
    const edit = { document, part: 'body', update: EMPTY, principal, session: '', number: first } as const
    sequence = (await store.append([{ ...edit, clients: [], claims }])).at(-1)!
  }
  await store.compact(document, 'body', state, sequence, stateVector)
}

/** A Yjs update without structs and deletions. */
const EMPTY = Uint8Array.of(0, 0)

/** @throws {StoreError} where a sweep that was under way has taken it. */
async function publish(db: Kysely<Database>, id: string): Promise<DocumentRow> {
  await db.updateTable('documents').set({ deleted_at: null }).where('id', '=', id).execute()
  const row = await findDocument(db, id)
  if (!row) throw new StoreError(`The copy ${id} was removed before it was whole`)
  return row
}

const titleOfCopy = (title: string): string =>
  strings.document
    .copyOf(title.trim() || common.untitled)
    .slice(0, MAX_TITLE)
    .toWellFormed()
