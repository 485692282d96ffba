/** The durable store on SQLite: one worker thread, one connection, one fsync a group of appends. */
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { packBatch, unpackUpdates } from './batch.ts'
import { AnswerLost, type Connection, type ConnectionOptions, startConnection } from './connection.ts'
import { type Epoch, openEpoch } from './epoch.ts'
import { type Commit, createGroupCommit } from './group-commit.ts'
import { workerDialect } from './kysely-dialect.ts'
import { migrate } from './migrations/index.ts'
import type { Database } from './schema.ts'
import { type DocumentStore, type Edit, StoreError } from './store.ts'
import { WriteHealth } from './write-health.ts'

export interface SqliteStore {
  readonly documents: DocumentStore
  /** Every table, over the same connection. Inside a transaction await nothing but its own statements. */
  readonly db: Kysely<Database>
  /** When it was seen to be restored from a backup, in ms since 1970; null for one that never was. */
  readonly restoredAt: number | null
  /** Waits for what is being written. The same as `documents.close()`. */
  close(): Promise<void>
}

export interface SqliteOptions extends Omit<ConnectionOptions, 'log'> {
  /** Path of the database; its folder must exist. `-wal` and `-shm` files appear beside it. */
  readonly file: string
  readonly log?: Logger
}

/** @throws {Error} when the file cannot be opened, written or migrated: one sentence with its path. */
export const openSqliteStore = async (options: SqliteOptions): Promise<SqliteStore> => {
  const { file } = options
  const connection = startConnection(options)
  const db = new Kysely<Database>({ dialect: workerDialect(connection) })
  let epoch: Epoch
  try {
    await connection.request('open', {})
    await migrate(db)
    await connection.request('check', {})
    epoch = await openEpoch(db, file)
  } catch (error) {
    await connection.end()
    throw new Error(`The database ${file} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  const documents = createDocuments(connection, epoch)
  return { documents, db, restoredAt: epoch.restoredAt, close: () => documents.close() }
}

const createDocuments = (connection: Connection, epoch: Epoch): DocumentStore => {
  const health = new WriteHealth()
  const commit = committerOf(connection)
  const commits = createGroupCommit(async (calls) => {
    try {
      const outcomes = await commit(calls)
      health.committed(outcomes)
      return outcomes
    } catch (error) {
      health.failed(error as Error)
      throw error
    }
  })
  const check = onceASecond(() => answered(connection.request('check', {})))
  let closing: Promise<void> | undefined

  const close = async () => {
    await commits.drained()
    await epoch.end()
    await connection.end()
  }

  return {
    async append(edits) {
      if (closing !== undefined) throw new StoreError('Nothing was written: the store is closed')
      return edits.length === 0 ? [] : commits.append(edits)
    },
    async load(document, part) {
      const { updates, ...loaded } = await orStoreError(connection.request('load', { document, part }))
      return { updates: unpackUpdates(updates), ...loaded }
    },
    async compact(document, part, snapshot, sequence, stateVector) {
      // The caller's bytes may be a view of a buffer that is still in use.
      const copy = snapshot.slice()
      const command = { document, part, snapshot: copy, sequence, stateVector }
      await orStoreError(connection.request('compact', command, [copy.buffer]))
    },
    async check() {
      const { failure } = health
      if (failure) throw new StoreError(`Appends fail: ${failure.message}`, { cause: failure })
      await orStoreError(check())
    },
    close: () => (closing ??= close()),
  }
}

/**
 * A thread that died may have committed before: its successor looks, so that nothing is stored twice, also where there is no successor
 * yet and the caller offers the same edits again later.
 */
const committerOf = (connection: Connection): Commit => {
  const maybeThere = new WeakSet<readonly Edit[]>()

  const commit: Commit = async (calls) => {
    const batch = packBatch(calls)
    const mayBeThere = calls.some((call) => maybeThere.has(call))
    try {
      return await connection.request('append', { batch, mayBeThere }, [batch.updates.bytes.buffer])
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error
      for (const call of calls) maybeThere.add(call)
      if (mayBeThere) throw error
      return commit(calls)
    }
  }
  return commit
}

const orStoreError = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer
  } catch (error) {
    throw new StoreError((error as Error).message, { cause: error })
  }
}

/** However often health is asked for, the disk is asked once a second. */
const onceASecond = (run: () => Promise<void>): (() => Promise<void>) => {
  let latest: { at: number; outcome: Promise<void> } | undefined
  return () => {
    const now = performance.now()
    if (latest === undefined || now - latest.at >= 1000) latest = { at: now, outcome: run() }
    return latest.outcome
  }
}

/** A disk that hangs is not a disk that can write. */
const ANSWER_MS = 3000

const answered = async (answer: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The store has not answered for ${ANSWER_MS / 1000} s`)),
      ANSWER_MS,
    )
  })
  try {
    await Promise.race([answer, silence])
  } finally {
    clearTimeout(timer)
  }
}
