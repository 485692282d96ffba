/** Creates a document whose text is there already, merged: a copy, or one of another program. It is never decoded here. */
import type { Kysely } from 'kysely'
import { setImmediate } from 'node:timers/promises'
import * as Y from 'yjs'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import type { Principal } from '../access/principal.ts'
import { copyFiles } from '../files/file-records.ts'
import { PURGED_AT, removeDocument } from '../retention/remove-document.ts'
import type { MergedState } from '../store/document-merger.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentStore, SERVER_OWNER, StoreError } from '../store/store.ts'
import { type DocumentTableRow, findDocument, insertDocument } from './document-rows.ts'

interface StateDependencies {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'append' | 'compact'>
}

interface NewDocument {
  readonly owner: Principal
  readonly title: string
  readonly text: MergedState
  /** Another document, whose files this one has, too. */
  readonly filesOf?: string
  /** One Yjs update. */
  readonly comments?: Uint8Array<ArrayBuffer> | null
  /** The document that this one proposes to change. */
  readonly original?: string
  /** Stores what else belongs to the new document. @param sequence The last one of its log. */
  readonly complete?: (document: string, sequence: number) => Promise<void>
}

/**
 * Creates it as a deleted document, so that nobody sees it before it is complete, and the sweep removes it when the program dies
 * meanwhile.
 * @throws {StoreError} and leaves nothing behind.
 */
export async function createFromState(
  { db, store }: StateDependencies,
  document: NewDocument,
): Promise<DocumentTableRow> {
  const id = newDocumentId()
  await insertDocument(db, id, document.owner, document.title, PURGED_AT, document.original)
  try {
    const sequence = await writeText(store, id, document)
    if (document.filesOf !== undefined)
      await copyFiles(db, document.filesOf, { document: id, by: document.owner.id, now: Date.now() })
    if (document.comments) await writeComments(store, id, document.owner, document.comments)
    await document.complete?.(id, sequence)
    return await publish(db, id)
  } catch (error) {
    await removeDocument(db, id, () => setImmediate())
    throw error
  }
}

/** How many claims of client ids one append stores: a few milliseconds of the store's thread. */
const CLAIMS_PER_APPEND = 1000

/**
 * Stores the text as a snapshot with its state vector, so that opening it decodes nothing. Its client ids belong to the server, so
 * that nobody continues under them (A5).
 */
async function writeText(
  store: StateDependencies['store'],
  document: string,
  { owner: { id: principal }, text: { state, stateVector } }: NewDocument,
): Promise<number> {
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
  return sequence
}

async function writeComments(
  store: StateDependencies['store'],
  document: string,
  { id: principal }: Principal,
  update: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const claims = [...Y.parseUpdateMeta(update).to.keys()].map((client) => ({
    client,
    principal: SERVER_OWNER,
  }))
  await store.append([
    { document, part: 'comments', update, principal, session: '', number: 0, clients: [], claims },
  ])
}

/** A Yjs update without structs and deletions. */
const EMPTY_UPDATE = Uint8Array.of(0, 0)

/** @throws {StoreError} when a sweep that was running has removed it. */
async function publish(db: Kysely<Database>, id: string): Promise<DocumentTableRow> {
  await db.updateTable('documents').set({ deleted_at: null }).where('id', '=', id).execute()
  const row = await findDocument(db, id)
  if (!row) throw new StoreError(`${id} was removed before it was whole`)
  return row
}
