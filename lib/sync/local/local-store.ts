/**
 * What this browser stores of documents (D6), in IndexedDB. Each method is one transaction: it happens or it does not.
 *
 *   rows     a window's own edits, in the order it made them; only that window writes them while it lives
 *   marks    up to which row of a window the server has saved
 *   copies   of each document part: title, role, when; its text is in `states`, so that a list need not load it
 *
 * A copy holds only what the server has saved; unsaved edits are in rows. A desk is stored under the document ''; each row and copy names
 * its principal. Knows Yjs only to merge; does not know locks.
 */
import * as Y from 'yjs'
import type { ChannelPart, ChannelRole } from '../../protocol/channel-messages.ts'
import type { CloseCode } from '../../protocol/close.ts'
import { resultOf, LocalDatabase, type IDBFactoryLike, type StoreAccess } from './local-database.ts'

export interface PartKey {
  readonly document: string
  readonly part: ChannelPart
}

/** Identifies the window that owns rows. */
export interface RowOwner extends PartKey {
  readonly window: string
}

interface NewLocalRow {
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

interface SavedMark extends RowOwner {
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

interface LocalCopyRecord extends CopyInfo {
  /** A Yjs state, V1. */
  readonly state: Uint8Array
}

interface CopyState extends PartKey {
  readonly state: Uint8Array
}

export interface StoredPart {
  readonly copy: LocalCopyRecord | undefined
  /** The rows of all windows, by window and then in order; without those set aside, and without another person's. */
  readonly rows: readonly LocalRow[]
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

export interface AdoptedRows {
  readonly saved: readonly LocalRow[]
  readonly unsaved: readonly LocalRow[]
}

const DATABASE_VERSION = 1
const partIndex = 'place'
const windowIndex = 'window'

export class LocalStore {
  readonly #database: LocalDatabase

  constructor(factory: IDBFactoryLike) {
    this.#database = new LocalDatabase(factory, 'diptych', { version: DATABASE_VERSION, create })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** The rows are on the disk when it resolves. */
  append(owner: RowOwner, principal: string, rows: readonly NewLocalRow[]): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      for (const row of rows) await put(requests, 'rows', { ...owner, ...row, principal })
    })
  }

  /** The server has saved this window's rows up to `upTo`. A mark lost in a crash costs sending the rows once more. */
  mark(owner: RowOwner, upTo: number): Promise<void> {
    return this.#database.write(['marks'], 'relaxed', (requests) =>
      put(requests, 'marks', { ...owner, upTo }),
    )
  }

  readPart({ document, part }: PartKey, principal: string): Promise<StoredPart> {
    return this.#database.read(['rows', 'copies', 'states'], async (requests) => {
      const key = [document, part]
      const info = await get<CopyInfo>(requests, 'copies', key)
      const state = await get<CopyState>(requests, 'states', key)
      const rows = await rowsOf(requests, partIndex, key)
      const copy = info && state && belongsTo(info, principal) ? { ...info, ...state } : undefined
      return { copy, rows: rows.filter((row) => !row.aside && belongsTo(row, principal)) }
    })
  }

  /** The windows that have rows. */
  async rowWindows({ document, part }: PartKey): Promise<ReadonlySet<string>> {
    const keys = await this.#database.read(['rows'], (requests) =>
      resultOf(requests.objectStore('rows').index(partIndex).getAllKeys([document, part])),
    )
    return new Set(keys.map((key) => (key as string[])[2]!))
  }

  /**
   * Moves the rows of a window that is gone, and its mark, to a name of the caller's own. The caller holds the dead window's lock, so
   * nobody else does the same. Another person's rows stay where they are.
   */
  adoptRows(from: RowOwner, window: string, principal: string): Promise<AdoptedRows> {
    return this.#database.write(['rows', 'marks'], 'strict', async (requests) => {
      const rows = (await rowsOf(requests, windowIndex, keyOf(from))).filter(
        (row) => !row.aside && belongsTo(row, principal),
      )
      if (rows.length === 0) return { saved: [], unsaved: [] }
      const upTo = await savedUpTo(requests, from)
      await removeRows(requests, rows)
      for (const row of rows) await put(requests, 'rows', { ...row, window })
      await remove(requests, 'marks', keyOf(from))
      if (upTo > 0) await put(requests, 'marks', { ...from, window, upTo })
      return { saved: rows.filter(({ n }) => n <= upTo), unsaved: rows.filter(({ n }) => n > upTo) }
    })
  }

  /**
   * Writes the copy and deletes the rows that are in it, in one transaction: a window that dies in the middle leaves the former copy with
   * all its rows. Rows that the server has saved are merged in, except another person's: their desk is another text.
   *
   * @param text The whole text, or what the former copy lacks of it. In the latter case nothing is written where there is no former copy.
   * @param writer The writing window, and up to which of its rows a whole text includes them.
   * @param mergesFormer Whether to keep what the former copy holds beyond a whole text, since its writer was another window.
   */
  compact(
    info: CopyInfo,
    text: Uint8Array | readonly Uint8Array[],
    writer: { window: string; upTo: number },
    mergesFormer = false,
  ): Promise<void> {
    const { document, part } = info
    const key = [document, part]
    const isWhole = text instanceof Uint8Array
    return this.#database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
      const reads = !isWhole || mergesFormer
      const former = reads ? await formerStateOf(requests, key, info.principal) : undefined
      if (!former && !isWhole) return
      const pieces = [...(former ? [former.state] : []), ...(isWhole ? [text] : text)]
      const { saved, unsaved } = await splitRows(requests, key, info.principal)
      const isOwn = ({ window }: LocalRow) => window === writer.window && isWhole
      const merged = saved.filter((row) => !isOwn(row) || row.n <= writer.upTo)
      const all = [...pieces, ...merged.filter((row) => !isOwn(row)).map(({ update }) => update)]
      await put(requests, 'copies', info)
      await put(requests, 'states', { document, part, state: all.length > 1 ? Y.mergeUpdates(all) : all[0] })
      await removeRows(requests, merged)
      await removeMarks(requests, key, [...unsaved, ...saved.filter((row) => !merged.includes(row))])
    })
  }

  /** Merges a window's own rows up to `upTo` into one, so that hours without a connection do not pile up. */
  mergeRows(owner: RowOwner, upTo: number): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      const rows = (await rowsOf(requests, windowIndex, keyOf(owner))).filter(({ n }) => n <= upTo)
      const last = rows.at(-1)
      if (!last || rows.length < 2) return
      const update = Y.mergeUpdates(rows.map((row) => row.update))
      const changes = rows.reduce((sum, row) => sum + row.changes, 0)
      await removeRows(requests, rows)
      await put(requests, 'rows', { ...last, update, changes })
    })
  }

  /** Sets unsaved rows aside: the server would refuse them again at each visit, and with them all that is written after them. */
  quarantineRows(owner: RowOwner, reason: QuarantineReason): Promise<void> {
    return this.#database.write(['rows', 'marks'], 'strict', async (requests) => {
      const upTo = await savedUpTo(requests, owner)
      const unsaved = (await rowsOf(requests, windowIndex, keyOf(owner))).filter(({ n }) => n > upTo)
      for (const row of unsaved) await put(requests, 'rows', { ...row, aside: row.aside ?? reason })
    })
  }

  /** The document that was missing is back, and so is what this person wrote there: their next window takes it over. */
  restoreRows({ document, part }: PartKey, principal: string): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      const rows = await rowsOf(requests, partIndex, [document, part])
      for (const { aside, ...row } of rows)
        if (aside === 'missing' && belongsTo(row, principal)) await put(requests, 'rows', row)
    })
  }

  /** The document is deleted or not this person's any more. Rows stay: only their author may throw them away. */
  removeCopies(document: string): Promise<void> {
    return this.#database.write(['copies', 'states'], 'relaxed', async (requests) => {
      for (const part of ['body', 'comments', 'desk'] satisfies ChannelPart[]) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
  }

  /** Reports what other people left in this browser; null where there is nothing. */
  findOtherPeopleData(principal: string): Promise<OtherPeopleData | null> {
    return this.#database.read(['rows', 'copies'], async (requests) => {
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
  removeOtherPeopleData(principal: string): Promise<void> {
    return this.#database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
      const { rows, copies } = await otherPeopleRecords(requests, principal)
      await removeRows(requests, rows)
      for (const row of rows) await remove(requests, 'marks', keyOf(row))
      for (const { document, part } of copies) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
  }

  listCopies(): Promise<readonly CopyInfo[]> {
    return this.#database.read(['copies'], (requests) =>
      resultOf<CopyInfo[]>(requests.objectStore('copies').getAll()),
    )
  }

  /** Lists the unsaved edits of all windows, living or dead, one entry for each window and document part. */
  listUnsavedRows(): Promise<readonly UnsavedRows[]> {
    return this.#database.read(['rows', 'marks'], async (requests) => {
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
const belongsTo = (record: { readonly principal: string }, principal: string): boolean =>
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

const keyOf = ({ document, part, window }: RowOwner): [string, string, string] => [document, part, window]

const keyTextOf = (author: RowOwner): string => keyOf(author).join(' ')

function summariseRows(rows: readonly LocalRow[]): UnsavedRows {
  const { document, part, window, principal } = rows[0]!
  return { document, part, window, principal, changes: rows.reduce((sum, row) => sum + row.changes, 0) }
}

async function splitRows(
  requests: StoreAccess,
  key: string[],
  principal: string,
): Promise<{ saved: readonly LocalRow[]; unsaved: readonly LocalRow[] }> {
  const rows = await rowsOf(requests, partIndex, key)
  const marks = await resultOf<SavedMark[]>(requests.objectStore('marks').index(partIndex).getAll(key))
  const upTo = new Map(marks.map((mark) => [mark.window, mark.upTo]))
  const isSaved = (row: LocalRow) =>
    !row.aside && belongsTo(row, principal) && row.n <= (upTo.get(row.window) ?? 0)
  return { saved: rows.filter(isSaved), unsaved: rows.filter((row) => !isSaved(row)) }
}

/** Removes the marks of windows without rows. A window that goes on writes its mark anew. */
async function removeMarks(
  requests: StoreAccess,
  key: string[],
  remaining: readonly LocalRow[],
): Promise<void> {
  const needed = new Set(remaining.map(({ window }) => window))
  for (const mark of await resultOf<SavedMark[]>(requests.objectStore('marks').index(partIndex).getAll(key)))
    if (!needed.has(mark.window)) await remove(requests, 'marks', keyOf(mark))
}

async function removeRows(requests: StoreAccess, rows: readonly LocalRow[]): Promise<void> {
  for (const row of rows) await remove(requests, 'rows', [...keyOf(row), row.n])
}

/** Another person's desk must not become the base of one's own. */
async function formerStateOf(
  requests: StoreAccess,
  key: string[],
  principal: string,
): Promise<CopyState | undefined> {
  const info = await get<CopyInfo>(requests, 'copies', key)
  return info && belongsTo(info, principal) ? get<CopyState>(requests, 'states', key) : undefined
}

const rowsOf = (requests: StoreAccess, index: string, key: string[]): Promise<LocalRow[]> =>
  resultOf<LocalRow[]>(requests.objectStore('rows').index(index).getAll(key))

const savedUpTo = async (requests: StoreAccess, author: RowOwner): Promise<number> =>
  (await get<SavedMark>(requests, 'marks', keyOf(author)))?.upTo ?? 0

const get = <T>(requests: StoreAccess, store: string, key: IDBValidKey): Promise<T | undefined> =>
  resultOf<T | undefined>(requests.objectStore(store).get(key))

async function put(requests: StoreAccess, store: string, value: object): Promise<void> {
  await resultOf(requests.objectStore(store).put(value))
}

const remove = (requests: StoreAccess, store: string, key: IDBValidKey): Promise<undefined> =>
  resultOf(requests.objectStore(store).delete(key))
