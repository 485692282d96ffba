/** The durable store on SQLite: one worker thread, one connection, one fsync for each group of appends. */
import { stat } from 'node:fs/promises'
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { openSqliteSearchIndex } from '../search/sqlite-search-index.ts'
import { packBatch, unpackUpdates } from './batch.ts'
import { continuationOf, createDocumentStore, type DocumentBackend, type Store } from './document-store.ts'
import {
  type StoreConnection,
  type StoreConnectionOptions,
  startStoreConnection,
} from './store-connection.ts'
import { type StoreEpoch, openStoreEpoch } from './epoch.ts'
import { createWorkerDialect } from './kysely-dialect.ts'
import { migrate } from './migrations/index.ts'
import type { Database } from './schema.ts'
import type { DocumentPart, LoadedPart } from './store.ts'
import { writeSnapshot } from './write-snapshot.ts'

export interface SqliteStoreOptions extends Omit<StoreConnectionOptions, 'log'> {
  /** The path of the database; its folder must exist. `-wal` and `-shm` files appear beside it. */
  readonly file: string
  readonly log?: Logger
}

/** @throws {Error} when the file cannot be opened, written or migrated: one sentence with its path. */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<Store> => {
  const { file } = options
  const connection = startStoreConnection(options)
  const db = new Kysely<Database>({ dialect: createWorkerDialect(connection) })
  let epoch: StoreEpoch
  let identity: string
  try {
    await connection.request('open', {})
    await migrate(db)
    await connection.request('check', {})
    const { ino, birthtimeNs } = await stat(file, { bigint: true })
    // Two new disks give their first files the same number.
    identity = `${ino}/${birthtimeNs}`
    epoch = await openStoreEpoch(db, { markFile: markFileOf(file), identity: `${ino}` })
  } catch (error) {
    await connection.end()
    throw new Error(`The database ${file} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  const documents = createDocumentStore(createBackend(connection, epoch))
  const { restoredAt } = epoch
  return {
    kind: 'sqlite',
    documents,
    db,
    identity,
    restoredAt,
    openSearchIndex: (isDamaged = false) =>
      openSqliteSearchIndex(
        { file: searchFileOf(file), store: file, restoredAt, log: options.log },
        isDamaged,
      ),
    close: () => documents.close(),
  }
}

const searchFileOf = (file: string): string => `${file}-search`

export const markFileOf = (file: string): string => `${file}-epoch`

const createBackend = (connection: StoreConnection, epoch: StoreEpoch): DocumentBackend => ({
  ...readAlone((document, part) => loadFrom(connection, document, part)),
  async append(calls, mayBeStored) {
    const batch = packBatch(calls)
    return connection.request('append', { batch, mayBeStored }, [batch.buffer])
  },
  compact: (document, part, state, sequence, stateVector) =>
    writeSnapshot(connection, { document, part, state, sequence, stateVector }),
  check: () => connection.request('check', {}),
  async end() {
    await epoch.end()
    await connection.end()
  },
})

const loadFrom = async (
  connection: StoreConnection,
  document: string,
  part: DocumentPart,
): Promise<LoadedPart> => {
  const { updates, ...loaded } = await connection.request('load', { document, part })
  return { updates: unpackUpdates(updates), ...loaded }
}

/** One server has the database to itself, so nobody else appends or compacts. */
const readAlone = (
  load: DocumentBackend['load'],
): Pick<DocumentBackend, 'load' | 'readSince' | 'claimCompaction'> => ({
  load,
  readSince: async (document, part, sequence) => continuationOf(await load(document, part), sequence),
  claimCompaction: async () => async () => {},
})
