/**
 * Makes a `DocumentStore` of what a database offers: group commit, the search for appends whose answer was lost, health. It does not
 * know which database it is.
 */
import type { Kysely } from 'kysely'
import { type GroupCommitter, createGroupCommit } from './group-commit.ts'
import type { Database } from './schema.ts'
import {
  type DocumentEdit,
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
  /** Waits for pending writes, and closes. The same as `documents.close()`. */
  close(): Promise<void>
}

export interface DocumentBackend {
  /**
   * Writes the calls in one transaction.
   * @param mayBeStored True when an answer was lost before: edits that the log has are not written again.
   * @throws {ReplyLostError} when the calls may be written or not; another error when nothing was written.
   */
  append(calls: Parameters<GroupCommitter>[0], mayBeStored: boolean): ReturnType<GroupCommitter>
  load(document: string, part: DocumentPart): Promise<LoadedPart>
  readSince: DocumentStore['readSince']
  claimCompaction: DocumentStore['claimCompaction']
  compact: DocumentStore['compact']
  /** Writes something. */
  check(): Promise<void>
  /** Is called once no append is on its way. */
  end(): Promise<void>
}

/** The database was lost before it answered: the request may be carried out or not. */
export class ReplyLostError extends Error {
  override readonly name = 'AnswerLost'
}

export const createDocumentStore = (backend: DocumentBackend): DocumentStore => {
  const health = new WriteHealth()
  const commit = createCommitter(backend)
  const groupCommit = createGroupCommit(async (calls) => {
    try {
      const outcomes = await commit(calls)
      health.onCommitted(outcomes)
      return outcomes
    } catch (error) {
      health.onFailed(error as Error)
      throw error
    }
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

/**
 * Looks for calls that a lost answer may have left in the log before it repeats them, so that nothing is stored twice. This also
 * holds while the database is away and the caller offers the same edits again later.
 */
const createCommitter = ({ append }: DocumentBackend): GroupCommitter => {
  const possiblyStored = new WeakSet<readonly DocumentEdit[]>()

  const commit: GroupCommitter = async (calls) => {
    const mayBeStored = calls.some((call) => possiblyStored.has(call))
    try {
      return await append(calls, mayBeStored)
    } catch (error) {
      if (!(error instanceof ReplyLostError)) throw error
      for (const call of calls) possiblyStored.add(call)
      if (mayBeStored) throw error
      return commit(calls)
    }
  }
  return commit
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
