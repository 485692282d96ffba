/**
 * What this browser stores of documents (D6), in IndexedDB: its records, and what any page of the site asks of them. Each method is one
 * transaction: it happens or it does not.
 *
 *   rows     a window's own edits, in the order it made them; only that window writes them while it lives
 *   marks    up to which row of a window the server has saved
 *   copies   of each document part: title, role, when; its text is in `states`, so that a list need not load it
 *
 * A copy holds only what the server has saved; unsaved edits are in rows. A desk is stored under the document ''; each row and copy names
 * its principal. Knows neither Yjs nor locks: pages without a document load it.
 */
import type { ChannelPart, ChannelRole } from '../../protocol/channel-messages.ts'
import type { CloseCode } from '../../protocol/close.ts'
import { LocalDatabase, type IDBFactoryLike, type StoreAccess } from './local-database.ts'
import { resultOf } from './request-result.ts'

export interface PartKey {
  readonly document: string
  readonly part: ChannelPart
}

/** Identifies the window that owns rows. */
export interface RowOwner extends PartKey {
  readonly window: string
}

export interface NewLocalRow {
  readonly n: number
  /** A Yjs update, V1. */
  readonly update: Uint8Array
  /** How many changes were merged into it. */
  readonly changes: number
}

export interface LocalRow extends RowOwner, NewLocalRow {
  /** Who made the edit; it is sent only as the same principal. '' where the principal was not known yet. */
  readonly principal: string
  /** Set for a row that is kept but neither shown nor sent. */
  readonly aside?: QuarantineReason
}

/** Why a row is set aside: the server will never take it, or has no such document for this person until the owner restores it. */
export type QuarantineReason = CloseCode | 'missing'

export interface SavedMark extends RowOwner {
  readonly upTo: number
}

export interface CopyInfo extends PartKey {
  readonly title: string
  readonly role: ChannelRole
  readonly principal: string
  /** The SCHEMA_VERSION of the page that wrote the copy. */
  readonly schema: number
  /** When it was written, in ms since 1970. */
  readonly at: number
}

/** Rows of one window that the server has not saved. */
export interface UnsavedRows extends RowOwner {
  readonly principal: string
  readonly changes: number
}

/** What this browser stores of other people. */
export interface OtherPeopleData {
  readonly documents: number
  /** Some of their changes may exist nowhere else. */
  readonly unsent: boolean
}

const DATABASE_VERSION = 1
export const partIndex = 'place'
export const windowIndex = 'window'

export class LocalRecords {
  protected readonly database: LocalDatabase
  readonly #factory: IDBFactoryLike

  constructor(factory: IDBFactoryLike) {
    this.#factory = factory
    this.database = new LocalDatabase(factory, 'diptych', { version: DATABASE_VERSION, create })
  }

  close(): Promise<void> {
    return this.database.close()
  }

  /** The document is deleted or not this person's any more. Rows stay: only their author may throw them away. Its files go, too. */
  async removeCopies(document: string): Promise<void> {
    await this.database.write(['copies', 'states'], 'relaxed', async (requests) => {
      for (const part of ['body', 'comments', 'desk'] satisfies ChannelPart[]) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
    const files = await this.#files()
    await files.removeDocument(document)
    await files.close()
  }

  /** Reports what other people left in this browser; null where there is nothing. */
  findOtherPeopleData(principal: string): Promise<OtherPeopleData | null> {
    return this.database.read(['rows', 'copies'], async (requests) => {
      const { rows, copies } = await otherPeopleRecords(requests, principal)
      if (rows.length + copies.length === 0) return null
      const texts = [...rows, ...copies].filter(({ part }) => part !== 'desk')
      return {
        documents: new Set(texts.map(({ document }) => document)).size,
        unsent: rows.some(({ part }) => part !== 'desk'),
      }
    })
  }

  /** Removes all of it, whether or not the server has it; what has no principal stays. */
  async removeOtherPeopleData(principal: string): Promise<void> {
    await this.database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
      const { rows, copies } = await otherPeopleRecords(requests, principal)
      await removeRows(requests, rows)
      for (const row of rows) await remove(requests, 'marks', keyOf(row))
      for (const { document, part } of copies) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
    const files = await this.#files()
    await files.removeOtherPeople(principal)
    await files.close()
  }

  /** Loaded late: most pages remove nothing. */
  async #files() {
    const { LocalFiles } = await import('../../files/local-files.ts')
    return new LocalFiles(this.#factory)
  }

  listCopies(): Promise<readonly CopyInfo[]> {
    return this.database.read(['copies'], (requests) =>
      resultOf<CopyInfo[]>(requests.objectStore('copies').getAll()),
    )
  }

  /** Lists the unsaved edits of all windows, living or dead, one entry for each window and document part. */
  listUnsavedRows(): Promise<readonly UnsavedRows[]> {
    return this.database.read(['rows', 'marks'], async (requests) => {
      const rows = await resultOf<LocalRow[]>(requests.objectStore('rows').getAll())
      const marks = await resultOf<SavedMark[]>(requests.objectStore('marks').getAll())
      const upTo = new Map(marks.map((mark) => [keyTextOf(mark), mark.upTo]))
      const waiting = rows.filter((row) => !row.aside && row.n > (upTo.get(keyTextOf(row)) ?? 0))
      return [...Map.groupBy(waiting, keyTextOf).values()].map(summariseRows)
    })
  }
}

function create(database: IDBDatabase): void {
  const rows = database.createObjectStore('rows', { keyPath: ['document', 'part', 'window', 'n'] })
  rows.createIndex(partIndex, ['document', 'part'])
  rows.createIndex(windowIndex, ['document', 'part', 'window'])
  const marks = database.createObjectStore('marks', { keyPath: ['document', 'part', 'window'] })
  marks.createIndex(partIndex, ['document', 'part'])
  database.createObjectStore('copies', { keyPath: ['document', 'part'] })
  database.createObjectStore('states', { keyPath: ['document', 'part'] })
}

/** A record without a principal belongs to anybody: it was written before the server named one. */
export const belongsTo = (record: { readonly principal: string }, principal: string): boolean =>
  record.principal === '' || record.principal === principal

async function otherPeopleRecords(
  requests: StoreAccess,
  principal: string,
): Promise<{ rows: LocalRow[]; copies: CopyInfo[] }> {
  const rows = await resultOf<LocalRow[]>(requests.objectStore('rows').getAll())
  const copies = await resultOf<CopyInfo[]>(requests.objectStore('copies').getAll())
  const isOfOther = (record: { readonly principal: string }) => !belongsTo(record, principal)
  return { rows: rows.filter(isOfOther), copies: copies.filter(isOfOther) }
}

export const keyOf = ({ document, part, window }: RowOwner): [string, string, string] => [
  document,
  part,
  window,
]

const keyTextOf = (author: RowOwner): string => keyOf(author).join(' ')

function summariseRows(rows: readonly LocalRow[]): UnsavedRows {
  const { document, part, window, principal } = rows[0]!
  return { document, part, window, principal, changes: rows.reduce((sum, row) => sum + row.changes, 0) }
}

export async function removeRows(requests: StoreAccess, rows: readonly LocalRow[]): Promise<void> {
  for (const row of rows) await remove(requests, 'rows', [...keyOf(row), row.n])
}

export const get = <T>(requests: StoreAccess, store: string, key: IDBValidKey): Promise<T | undefined> =>
  resultOf<T | undefined>(requests.objectStore(store).get(key))

export async function put(requests: StoreAccess, store: string, value: object): Promise<void> {
  await resultOf(requests.objectStore(store).put(value))
}

export const remove = (requests: StoreAccess, store: string, key: IDBValidKey): Promise<undefined> =>
  resultOf(requests.objectStore(store).delete(key))
