/**
 * What an open document's window writes to this browser's store (D6), and merges there. Each method is one transaction: it happens or it
 * does not. Knows Yjs only to merge; does not know locks.
 */
import * as Y from 'yjs'
import type { StoreAccess } from './local-database.ts'
import { resultOf } from './request-result.ts'
import {
  belongsTo,
  type CopyInfo,
  get,
  keyOf,
  LocalRecords,
  type LocalRow,
  type NewLocalRow,
  partIndex,
  type PartKey,
  put,
  type QuarantineReason,
  remove,
  removeRows,
  type RowOwner,
  type SavedMark,
  windowIndex,
} from './local-records.ts'

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

export interface AdoptedRows {
  readonly saved: readonly LocalRow[]
  readonly unsaved: readonly LocalRow[]
}

export class LocalStore extends LocalRecords {
  /**
   * The rows are on the disk when it resolves.
   *
   * @param upTo Which of the window's rows the server has saved already, 0 where it has none of these.
   */
  append(owner: RowOwner, principal: string, rows: readonly NewLocalRow[], upTo = 0): Promise<void> {
    return this.database.write(['rows', ...(upTo > 0 ? ['marks'] : [])], 'strict', async (requests) => {
      for (const row of rows) await put(requests, 'rows', { ...owner, ...row, principal })
      if (upTo > 0) await put(requests, 'marks', { ...owner, upTo })
    })
  }

  /** The server has saved this window's rows up to `upTo`. A mark lost in a crash costs sending the rows once more. */
  mark(owner: RowOwner, upTo: number): Promise<void> {
    return this.database.write(['marks'], 'relaxed', (requests) => put(requests, 'marks', { ...owner, upTo }))
  }

  readPart({ document, part }: PartKey, principal: string): Promise<StoredPart> {
    return this.database.read(['rows', 'copies', 'states'], async (requests) => {
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
    const keys = await this.database.read(['rows'], (requests) =>
      resultOf(requests.objectStore('rows').index(partIndex).getAllKeys([document, part])),
    )
    return new Set(keys.map((key) => (key as string[])[2]!))
  }

  /**
   * Moves the rows of a window that is gone, and its mark, to a name of the caller's own. The caller holds the dead window's lock, so
   * nobody else does the same. Another person's rows stay where they are.
   */
  adoptRows(from: RowOwner, window: string, principal: string): Promise<AdoptedRows> {
    return this.database.write(['rows', 'marks'], 'strict', async (requests) => {
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
    return this.database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
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
    return this.database.write(['rows'], 'strict', async (requests) => {
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
    return this.database.write(['rows', 'marks'], 'strict', async (requests) => {
      const upTo = await savedUpTo(requests, owner)
      const unsaved = (await rowsOf(requests, windowIndex, keyOf(owner))).filter(({ n }) => n > upTo)
      for (const row of unsaved) await put(requests, 'rows', { ...row, aside: row.aside ?? reason })
    })
  }

  /** The document that was missing is back, and so is what this person wrote there: their next window takes it over. */
  restoreRows({ document, part }: PartKey, principal: string): Promise<void> {
    return this.database.write(['rows'], 'strict', async (requests) => {
      const rows = await rowsOf(requests, partIndex, [document, part])
      for (const { aside, ...row } of rows)
        if (aside === 'missing' && belongsTo(row, principal)) await put(requests, 'rows', row)
    })
  }
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
