/** The durable store on SQLite: one worker thread, one connection, one fsync for each group of appends. */
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { packBatch, unpackUpdates } from './batch.ts'
import {
  ReplyLostError,
  type StoreConnection,
  type StoreConnectionOptions,
  startStoreConnection,
} from './store-connection.ts'
import { type StoreEpoch, openStoreEpoch } from './epoch.ts'
import { type GroupCommitter, createGroupCommit } from './group-commit.ts'
import { createWorkerDialect } from './kysely-dialect.ts'
import { migrate } from './migrations/index.ts'
import type { Database } from './schema.ts'
import { type DocumentStore, type DocumentEdit, StoreError } from './store.ts'
import { WriteHealth } from './write-health.ts'
import { withTimeout } from '../timeouts.ts'

export interface SqliteStore {
  readonly documents: DocumentStore
  /** Gives access to every table over the same connection. Inside a transaction await nothing but its own statements. */
  readonly db: Kysely<Database>
  /** When the store was seen to be restored from a backup, in ms since 1970; null when it never was. */
  readonly restoredAt: number | null
  /** Waits for pending writes, and closes. The same as `documents.close()`. */
  close(): Promise<void>
}

export interface SqliteStoreOptions extends Omit<StoreConnectionOptions, 'log'> {
  /** The path of the database; its folder must exist. `-wal` and `-shm` files appear beside it. */
  readonly file: string
  readonly log?: Logger
}

/** @throws {Error} when the file cannot be opened, written or migrated: one sentence with its path. */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<SqliteStore> => {
  const { file } = options
  const connection = startStoreConnection(options)
  const db = new Kysely<Database>({ dialect: createWorkerDialect(connection) })
  let epoch: StoreEpoch
  try {
    await connection.request('open', {})
    await migrate(db)
    await connection.request('check', {})
    epoch = await openStoreEpoch(db, file)
  } catch (error) {
    await connection.end()
    throw new Error(`The database ${file} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  const documents = createDocumentStore(connection, epoch)
  return { documents, db, restoredAt: epoch.restoredAt, close: () => documents.close() }
}

const createDocumentStore = (connection: StoreConnection, epoch: StoreEpoch): DocumentStore => {
  const health = new WriteHealth()
  const commit = createCommitter(connection)
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
  const check = limitToOncePerSecond(() => checkInTime(connection.request('check', {})))
  let closed: Promise<void> | undefined

  const close = async () => {
    await groupCommit.whenDrained()
    await epoch.end()
    await connection.end()
  }

  return {
    async append(edits) {
      if (closed !== undefined) throw new StoreError('Nothing was written: the store is closed')
      return edits.length === 0 ? [] : groupCommit.append(edits)
    },
    async load(document, part) {
      const { updates, ...loaded } = await rejectWithStoreError(
        connection.request('load', { document, part }),
      )
      return { updates: unpackUpdates(updates), ...loaded }
    },
    async compact(document, part, snapshot, sequence, stateVector) {
      // The caller's bytes may be a view of a buffer that is still in use.
      const copy = snapshot.slice()
      const command = { document, part, snapshot: copy, sequence, stateVector }
      await rejectWithStoreError(connection.request('compact', command, [copy.buffer]))
    },
    async check() {
      const { failure } = health
      if (failure) throw new StoreError(`Appends fail: ${failure.message}`, { cause: failure })
      await rejectWithStoreError(check())
    },
    close: () => (closed ??= close()),
  }
}

/**
 * Looks for calls that a dead thread may have committed before it repeats them, so that nothing is stored twice. This also holds
 * while there is no new thread yet and the caller offers the same edits again later.
 */
const createCommitter = (connection: StoreConnection): GroupCommitter => {
  const possiblyStored = new WeakSet<readonly DocumentEdit[]>()

  const commit: GroupCommitter = async (calls) => {
    const batch = packBatch(calls)
    const mayBeStored = calls.some((call) => possiblyStored.has(call))
    try {
      return await connection.request('append', { batch, mayBeStored }, [batch.updates.bytes.buffer])
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
