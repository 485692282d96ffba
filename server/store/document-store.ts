/**
 * Makes a `DocumentStore` of what a database offers: group commit, health, errors of one kind. It does not
 * know which database it is.
 */
import type { Kysely } from 'kysely'
import type { SearchIndex } from '../search/search-index.ts'
import { GroupCommit, type WriteCalls } from './group-commit.ts'
import type { Database } from './schema.ts'
import {
  type DocumentPart,
  type DocumentStore,
  type LoadedPart,
  type LogContinuation,
  StoreError,
} from './store.ts'
import { WriteHealth } from './write-health.ts'
import { withTimeout } from '../timeouts.ts'

export const storeKinds = ['sqlite', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

/** An open database: its documents, and its tables. */
export interface Store {
  readonly kind: StoreKind
  readonly documents: DocumentStore
  /** Gives access to every table. Inside a transaction await nothing but its own statements: everybody else waits for it. */
  readonly db: Kysely<Database>
  /** Differs from database to database, also from that of a copy. */
  readonly identity: string
  /** When the store was seen to be restored from a backup, in ms since 1970; null when it never was. */
  readonly restoredAt: number | null
  /**
   * Opens what finds documents by their words: beside the store, so that neither waits for the other. Its opener closes it first.
   * @param isDamaged Whether a file is to be replaced.
   */
  openSearchIndex(isDamaged?: boolean): Promise<SearchIndex>
  /** Waits for pending writes, and closes. The same as `documents.close()`. */
  close(): Promise<void>
}

export interface DocumentBackend {
  readonly append: WriteCalls
  load(document: string, part: DocumentPart): Promise<LoadedPart>
  readSince: DocumentStore['readSince']
  claimCompaction: DocumentStore['claimCompaction']
  compact: DocumentStore['compact']
  /** Writes something. */
  check(): Promise<void>
  /** Is called once no append is on its way. */
  end(): Promise<void>
}

export const createDocumentStore = (backend: DocumentBackend): DocumentStore => {
  const health = new WriteHealth()
  const groupCommit = new GroupCommit({
    write: backend.append,
    onCommitted: (outcomes) => health.onCommitted(outcomes),
    onFailed: (error) => health.onFailed(error),
  })
  const check = limitToOncePerSecond(() => checkInTime(backend.check()))
  let closed: Promise<void> | undefined

  const close = async () => {
    await groupCommit.whenDrained()
    await backend.end()
  }

  return {
    async append(edits) {
      if (closed !== undefined) throw new StoreError('Nothing was written: the store is closed')
      return edits.length === 0 ? [] : groupCommit.append(edits)
    },
    load: (document, part) => rejectWithStoreError(backend.load(document, part)),
    readSince: (...from) => rejectWithStoreError(backend.readSince(...from)),
    claimCompaction: (...key) => rejectWithStoreError(backend.claimCompaction(...key)),
    compact: (...snapshot) => rejectWithStoreError(backend.compact(...snapshot)),
    async check() {
      const { failure } = health
      if (failure) throw new StoreError(`Appends fail: ${failure.message}`, { cause: failure })
      await rejectWithStoreError(check())
    },
    close: () => (closed ??= close()),
  }
}

const rejectWithStoreError = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
}

/** Checks the disk at most once a second, however often the check is called. */
const limitToOncePerSecond = (run: () => Promise<void>): (() => Promise<void>) => {
  let latest: { at: number; outcome: Promise<void> } | undefined
  return () => {
    const now = performance.now()
    if (latest === undefined || now - latest.at >= 1000) latest = { at: now, outcome: run() }
    return latest.outcome
  }
}

/** A disk that hangs counts as one that cannot write. */
const CHECK_TIMEOUT_MS = 3000

const checkInTime = (answer: Promise<void>): Promise<void> =>
  withTimeout(CHECK_TIMEOUT_MS, answer, () => {
    throw new Error(`The store has not answered for ${CHECK_TIMEOUT_MS / 1000} s`)
  })

/** The part of a document that comes after `sequence`; null when its snapshot contains some of it. */
export const continuationOf = (
  { updates, logLength, sequence: last, owners }: LoadedPart,
  sequence: number,
): LogContinuation | null => {
  const missing = last - sequence
  if (missing > logLength) return null
  return { updates: missing > 0 ? updates.slice(-missing) : [], owners: owners ?? new Map() }
}
