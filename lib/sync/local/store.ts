/**
 * What this browser holds of documents (D6), in IndexedDB. Each method is one transaction: it happens or it does not.
 *
 *   rows     a window's own edits, in the order it made them; only their window writes them while it lives
 *   marks    up to which row of a window the server has saved
 *   copies   of each document part: title, role, when; its text is in `states`, so that a list need not load it
 *
 * A copy holds only what the server has saved; what is not saved is in rows. A desk is held under the document ''; whose it is,
 * each row and the copy say. Knows Yjs only to merge; does not know locks.
 */
import * as Y from 'yjs'
import type { ChannelPart, ChannelRole } from '../../protocol/channel.ts'
import type { CloseCode } from '../../protocol/close.ts'
import { answer, Database, type FactoryLike, type Requests } from './database.ts'

export interface Place {
  readonly document: string
  readonly part: ChannelPart
}

/** Whose rows. */
export interface Author extends Place {
  readonly window: string
}

interface NewRow {
  readonly n: number
  /** Yjs, V1. */
  readonly update: Uint8Array
  /** Changes that were merged into it. */
  readonly changes: number
}

export interface Row extends Author, NewRow {
  /** Who made it; only as the same person it is sent. '' where nobody had said yet. */
  readonly principal: string
  /** Kept, but neither shown nor sent. */
  readonly aside?: AsideReason
}

/** The server will never take it, for this reason; or it has no such document for this person, until the owner restores it. */
export type AsideReason = CloseCode | 'missing'

interface Mark extends Author {
  readonly upTo: number
}

export interface CopyInfo extends Place {
  readonly title: string
  readonly role: ChannelRole
  readonly principal: string
  /** SCHEMA_VERSION of the page that wrote it. */
  readonly schema: number
  /** When it was written, in ms since 1970. */
  readonly at: number
}

interface Copy extends CopyInfo {
  /** Yjs, V1. */
  readonly state: Uint8Array
}

interface State extends Place {
  readonly state: Uint8Array
}

export interface Held {
  readonly copy: Copy | undefined
  /** Of all windows, by window and then in order; without those set aside, and without another person's. */
  readonly rows: readonly Row[]
}

/** Rows of one window that the server has not saved. */
export interface Leftover extends Author {
  readonly principal: string
  readonly changes: number
}

/** What of other people is in this browser. */
export interface LeftByOthers {
  readonly documents: number
  /** Some of their changes may be nowhere else. */
  readonly unsent: boolean
}

export interface TakenOver {
  readonly saved: readonly Row[]
  readonly unsaved: readonly Row[]
}

const VERSION = 1
const byPlace = 'place'
const byWindow = 'window'

export class LocalStore {
  readonly #database: Database

  constructor(factory: FactoryLike) {
    this.#database = new Database(factory, 'diptych', { version: VERSION, create })
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** On the disk when it resolves. */
  append(author: Author, principal: string, rows: readonly NewRow[]): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      for (const row of rows) await put(requests, 'rows', { ...author, ...row, principal })
    })
  }

  /** The server has saved this window's rows up to there. Lost in a crash, it costs sending them once more. */
  mark(author: Author, upTo: number): Promise<void> {
    return this.#database.write(['marks'], 'relaxed', (requests) =>
      put(requests, 'marks', { ...author, upTo }),
    )
  }

  read({ document, part }: Place, principal: string): Promise<Held> {
    return this.#database.read(['rows', 'copies', 'states'], async (requests) => {
      const key = [document, part]
      const info = await get<CopyInfo>(requests, 'copies', key)
      const state = await get<State>(requests, 'states', key)
      const rows = await rowsOf(requests, byPlace, key)
      const copy = info && state && isOf(info, principal) ? { ...info, ...state } : undefined
      return { copy, rows: rows.filter((row) => !row.aside && isOf(row, principal)) }
    })
  }

  /** Whose rows there are. */
  async authors({ document, part }: Place): Promise<ReadonlySet<string>> {
    const keys = await this.#database.read(['rows'], (requests) =>
      answer(requests.store('rows').index(byPlace).getAllKeys([document, part])),
    )
    return new Set(keys.map((key) => (key as string[])[2]!))
  }

  /**
   * Gives the rows of a window that is gone, and its mark, to a name of one's own. The caller holds the dead window's lock, so
   * nobody else does the same. Another person's rows stay where they are.
   */
  takeOver(from: Author, window: string, principal: string): Promise<TakenOver> {
    return this.#database.write(['rows', 'marks'], 'strict', async (requests) => {
      const rows = (await rowsOf(requests, byWindow, keyOf(from))).filter(
        (row) => !row.aside && isOf(row, principal),
      )
      if (rows.length === 0) return { saved: [], unsaved: [] }
      const upTo = await upToOf(requests, from)
      await removeRows(requests, rows)
      for (const row of rows) await put(requests, 'rows', { ...row, window })
      await remove(requests, 'marks', keyOf(from))
      if (upTo > 0) await put(requests, 'marks', { ...from, window, upTo })
      return { saved: rows.filter(({ n }) => n <= upTo), unsaved: rows.filter(({ n }) => n > upTo) }
    })
  }

  /**
   * Writes the copy and deletes the rows that are in it, in one transaction: whoever dies in the middle leaves the former copy
   * with all its rows. Rows that the server has saved are merged in, but for another person's: their desk is another text.
   *
   * @param text The whole text, or what the former copy lacks of it; then nothing is written where there is none.
   * @param own The writer, and up to which of its rows a whole text holds them.
   * @param keepsFormer What the former copy holds beyond a whole text stays in it: its writer was another window.
   */
  compact(
    info: CopyInfo,
    text: Uint8Array | readonly Uint8Array[],
    own: { window: string; upTo: number },
    keepsFormer = false,
  ): Promise<void> {
    const { document, part } = info
    const key = [document, part]
    const isWhole = text instanceof Uint8Array
    return this.#database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
      const reads = !isWhole || keepsFormer
      const former = reads ? await formerOf(requests, key, info.principal) : undefined
      if (!former && !isWhole) return
      const pieces = [...(former ? [former.state] : []), ...(isWhole ? [text] : text)]
      const { saved, kept } = await sortRows(requests, key, info.principal)
      const isOwn = ({ window }: Row) => window === own.window && isWhole
      const done = saved.filter((row) => !isOwn(row) || row.n <= own.upTo)
      const all = [...pieces, ...done.filter((row) => !isOwn(row)).map(({ update }) => update)]
      await put(requests, 'copies', info)
      await put(requests, 'states', { document, part, state: all.length > 1 ? Y.mergeUpdates(all) : all[0] })
      await removeRows(requests, done)
      await removeMarks(requests, key, [...kept, ...saved.filter((row) => !done.includes(row))])
    })
  }

  /** Merges a window's own rows up to `upTo` into one, so that hours without a connection do not pile up. */
  merge(author: Author, upTo: number): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      const rows = (await rowsOf(requests, byWindow, keyOf(author))).filter(({ n }) => n <= upTo)
      const last = rows.at(-1)
      if (!last || rows.length < 2) return
      const update = Y.mergeUpdates(rows.map((row) => row.update))
      const changes = rows.reduce((sum, row) => sum + row.changes, 0)
      await removeRows(requests, rows)
      await put(requests, 'rows', { ...last, update, changes })
    })
  }

  /** What the server will never take would be refused again at each visit, and with it all that is written after it. */
  setAside(author: Author, reason: AsideReason): Promise<void> {
    return this.#database.write(['rows', 'marks'], 'strict', async (requests) => {
      const upTo = await upToOf(requests, author)
      const unsaved = (await rowsOf(requests, byWindow, keyOf(author))).filter(({ n }) => n > upTo)
      for (const row of unsaved) await put(requests, 'rows', { ...row, aside: row.aside ?? reason })
    })
  }

  /** The document that was missing is there again, and with it what this person wrote there: their next window takes it over. */
  takeBack({ document, part }: Place, principal: string): Promise<void> {
    return this.#database.write(['rows'], 'strict', async (requests) => {
      const rows = await rowsOf(requests, byPlace, [document, part])
      for (const { aside, ...row } of rows)
        if (aside === 'missing' && isOf(row, principal)) await put(requests, 'rows', row)
    })
  }

  /** The document is deleted or not this person's any more. Rows stay: they are nobody else's to throw away. */
  forget(document: string): Promise<void> {
    return this.#database.write(['copies', 'states'], 'relaxed', async (requests) => {
      for (const part of ['body', 'comments', 'desk'] satisfies ChannelPart[]) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
  }

  /** What other people left in this browser; null where there is nothing. */
  othersHere(principal: string): Promise<LeftByOthers | null> {
    return this.#database.read(['rows', 'copies'], async (requests) => {
      const { rows, copies } = await leftByOthers(requests, principal)
      if (rows.length + copies.length === 0) return null
      const texts = [...rows, ...copies].filter(({ part }) => part !== 'desk')
      return {
        documents: new Set(texts.map(({ document }) => document)).size,
        unsent: rows.some(({ part }) => part !== 'desk'),
      }
    })
  }

  /** All of it goes, whether or not the server has it; what nobody has put a name to stays. */
  forgetOthers(principal: string): Promise<void> {
    return this.#database.write(['rows', 'marks', 'copies', 'states'], 'strict', async (requests) => {
      const { rows, copies } = await leftByOthers(requests, principal)
      await removeRows(requests, rows)
      for (const row of rows) await remove(requests, 'marks', keyOf(row))
      for (const { document, part } of copies) {
        await remove(requests, 'copies', [document, part])
        await remove(requests, 'states', [document, part])
      }
    })
  }

  copies(): Promise<readonly CopyInfo[]> {
    return this.#database.read(['copies'], (requests) =>
      answer<CopyInfo[]>(requests.store('copies').getAll()),
    )
  }

  /** What is not saved, a line each window and document part, whoever lives. */
  leftovers(): Promise<readonly Leftover[]> {
    return this.#database.read(['rows', 'marks'], async (requests) => {
      const rows = await answer<Row[]>(requests.store('rows').getAll())
      const marks = await answer<Mark[]>(requests.store('marks').getAll())
      const upTo = new Map(marks.map((mark) => [textOf(mark), mark.upTo]))
      const waiting = rows.filter((row) => !row.aside && row.n > (upTo.get(textOf(row)) ?? 0))
      return [...Map.groupBy(waiting, textOf).values()].map(summary)
    })
  }
}

function create(database: IDBDatabase): void {
  const rows = database.createObjectStore('rows', { keyPath: ['document', 'part', 'window', 'n'] })
  rows.createIndex(byPlace, ['document', 'part'])
  rows.createIndex(byWindow, ['document', 'part', 'window'])
  const marks = database.createObjectStore('marks', { keyPath: ['document', 'part', 'window'] })
  marks.createIndex(byPlace, ['document', 'part'])
  database.createObjectStore('copies', { keyPath: ['document', 'part'] })
  database.createObjectStore('states', { keyPath: ['document', 'part'] })
}

/** What nobody has put a name to is anybody's: it was written before the server said who this is. */
const isOf = (held: { readonly principal: string }, principal: string): boolean =>
  held.principal === '' || held.principal === principal

async function leftByOthers(
  requests: Requests,
  principal: string,
): Promise<{ rows: Row[]; copies: CopyInfo[] }> {
  const rows = await answer<Row[]>(requests.store('rows').getAll())
  const copies = await answer<CopyInfo[]>(requests.store('copies').getAll())
  const isTheirs = (held: { readonly principal: string }) => !isOf(held, principal)
  return { rows: rows.filter(isTheirs), copies: copies.filter(isTheirs) }
}

const keyOf = ({ document, part, window }: Author): [string, string, string] => [document, part, window]

const textOf = (author: Author): string => keyOf(author).join(' ')

function summary(rows: readonly Row[]): Leftover {
  const { document, part, window, principal } = rows[0]!
  return { document, part, window, principal, changes: rows.reduce((sum, row) => sum + row.changes, 0) }
}

async function sortRows(
  requests: Requests,
  key: string[],
  principal: string,
): Promise<{ saved: readonly Row[]; kept: readonly Row[] }> {
  const rows = await rowsOf(requests, byPlace, key)
  const marks = await answer<Mark[]>(requests.store('marks').index(byPlace).getAll(key))
  const upTo = new Map(marks.map((mark) => [mark.window, mark.upTo]))
  const isSaved = (row: Row) => !row.aside && isOf(row, principal) && row.n <= (upTo.get(row.window) ?? 0)
  return { saved: rows.filter(isSaved), kept: rows.filter((row) => !isSaved(row)) }
}

/** Marks of windows without rows. One that goes on writes its mark anew. */
async function removeMarks(requests: Requests, key: string[], kept: readonly Row[]): Promise<void> {
  const needed = new Set(kept.map(({ window }) => window))
  for (const mark of await answer<Mark[]>(requests.store('marks').index(byPlace).getAll(key)))
    if (!needed.has(mark.window)) await remove(requests, 'marks', keyOf(mark))
}

async function removeRows(requests: Requests, rows: readonly Row[]): Promise<void> {
  for (const row of rows) await remove(requests, 'rows', [...keyOf(row), row.n])
}

/** Another person's desk is no beginning of one's own. */
async function formerOf(requests: Requests, key: string[], principal: string): Promise<State | undefined> {
  const info = await get<CopyInfo>(requests, 'copies', key)
  return info && isOf(info, principal) ? get<State>(requests, 'states', key) : undefined
}

const rowsOf = (requests: Requests, index: string, key: string[]): Promise<Row[]> =>
  answer<Row[]>(requests.store('rows').index(index).getAll(key))

const upToOf = async (requests: Requests, author: Author): Promise<number> =>
  (await get<Mark>(requests, 'marks', keyOf(author)))?.upTo ?? 0

const get = <T>(requests: Requests, store: string, key: IDBValidKey): Promise<T | undefined> =>
  answer<T | undefined>(requests.store(store).get(key))

async function put(requests: Requests, store: string, value: object): Promise<void> {
  await answer(requests.store(store).put(value))
}

const remove = (requests: Requests, store: string, key: IDBValidKey): Promise<undefined> =>
  answer(requests.store(store).delete(key))
