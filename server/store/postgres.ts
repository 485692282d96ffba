/** The durable store on PostgreSQL: for any number of nodes, or for one program alone. */
import { join } from 'node:path'
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { openPostgresSearchIndex } from '../search/postgres-search-index.ts'
import { createDocumentStore, type Store } from './document-store.ts'
import { openStoreEpoch } from './epoch.ts'
import { migrate } from './migrations/index.ts'
import {
  checkServer,
  identityOf,
  openPool,
  type PoolOptions,
  withoutSecrets,
} from './postgres/connections.ts'
import { checkTables } from './postgres/check-tables.ts'
import { createPostgresLog } from './postgres/document-log.ts'
import { createPostgresDialect } from './postgres/kysely-dialect.ts'
import { acquireServerLock, DatabaseInUse } from './postgres/server-lock.ts'
import type { FencedPool } from './postgres/transactions.ts'
import { createWriterLock } from './postgres/writer-lock.ts'
import type { Database } from './schema.ts'

export interface PostgresStoreOptions {
  /** `postgres://…` */
  readonly url: string
  /** The folder of the mark by which a restored database is noticed. */
  readonly dataDir: string
  readonly log?: Logger
  /** True for a program that must be alone with the database; false for a node. */
  readonly exclusive?: boolean
  /** Called when another program has taken the database over. */
  readonly onGiveUp?: (error: Error) => void
  /** How long the lock of a program that has just ended is waited for. */
  readonly patienceMs?: number
}

export { DatabaseInUse }

/** One writes, the others answer. */
const SEARCH_CONNECTIONS = 3
/** For loading and compaction. */
const SHARED_CONNECTIONS = 4

/**
 * @throws {DatabaseInUse} while another program has the database for itself, or this one wants it and nodes have it.
 * @throws {Error} when it cannot be reached, written or migrated: one sentence without secrets.
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  try {
    return await openStore(options)
  } catch (error) {
    if (error instanceof DatabaseInUse) throw error
    const reason = reasonOf(error as Error)
    throw new Error(`The database ${withoutSecrets(options.url)} cannot be opened: ${reason}.`, {
      cause: error,
    })
  }
}

const openStore = async ({
  dataDir,
  exclusive = false,
  ...options
}: PostgresStoreOptions): Promise<Store> => {
  const { url, log } = options
  let identity = ''
  const lock = await acquireServerLock({
    ...options,
    mode: exclusive ? 'exclusive' : 'shared',
    async onLocked(client) {
      await checkServer(client)
      await checkTables(client)
      identity = await identityOf(client)
    },
  })
  const openFencedPool = (max: number, onConnect?: PoolOptions['onConnect']): FencedPool => ({
    pool: openPool({ url, log, ...(onConnect && { onConnect }) }, max),
    lock,
  })
  // The services' statements are carried out in their order, as on SQLite, by a connection of their own. So are appends.
  const [writer, services] = [openFencedPool(1, createWriterLock()), openFencedPool(1)]
  const shared = openFencedPool(SHARED_CONNECTIONS)
  const close = async () => {
    await Promise.all([writer, services, shared].map(({ pool }) => pool.end()))
    await lock.release()
  }
  const db = new Kysely<Database>({ dialect: createPostgresDialect(services) })
  try {
    await migrate(db)
    const epoch = await openStoreEpoch(db, {
      markFile: join(dataDir, 'postgres-epoch'),
      identity,
      isShared: true,
    })
    const documentLog = createPostgresLog({ writer, shared, claimant: lock })
    await documentLog.check()
    await lock.endOpening()
    const end = async () => {
      await epoch.end()
      await close()
    }
    const documents = createDocumentStore({ ...documentLog, end })
    const { restoredAt } = epoch
    const openSearchIndex = () => openPostgresSearchIndex(db, openFencedPool(SEARCH_CONNECTIONS))
    return {
      kind: 'postgres',
      documents,
      db,
      identity,
      restoredAt,
      openSearchIndex,
      close: () => documents.close(),
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A host with several addresses fails once for each, under an error without words. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError ? (error.errors[0] as Error).message : error.message
