/** Where the store of an installation is, and the locks that keep servers out of it. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, SettingError } from '../../config.ts'
import { lockDataFolder, prepareDataFolder } from '../../data-folder.ts'
import type { FileStorage } from '../../files/file-storage.ts'
import { openFileStorage, type StorageConfig } from '../../files/open-storage.ts'
import type { Store } from '../document-store.ts'
import { RESTORED } from '../epoch.ts'
import { markFileOf, openSqliteStore } from '../sqlite.ts'

export type StoreLocation = {
  readonly dataDir: string
  /** Where the bytes of documents' files are. */
  readonly files: FileStorage
  /** For messages: without secrets. */
  readonly name: string
  /** The mark by which a restored store is noticed. */
  readonly markFile: string
} & ({ readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string })

export type StoreConfig = Pick<Config, 'databaseUrl'> & StorageConfig

export async function locateStore(config: StoreConfig): Promise<StoreLocation> {
  const { dataDir, databaseUrl: url } = config
  const files = openFileStorage(config)
  if (url === null) {
    const file = join(dataDir, 'diptych.sqlite')
    return { kind: 'sqlite', dataDir, files, file, name: file, markFile: markFileOf(file) }
  }
  const { withoutSecrets } = await import('../postgres/connections.ts')
  return {
    kind: 'postgres',
    dataDir,
    files,
    url,
    name: withoutSecrets(url),
    markFile: join(dataDir, 'postgres-epoch'),
  }
}

/** Continues "which a server uses: ". */
const ADVICE = 'stop all servers first; only a backup is made while they run.'

/** Runs while no server can use the store. @throws {SettingError} while one does. */
export async function withoutServers<Answer>(
  location: StoreLocation,
  run: () => Promise<Answer>,
): Promise<Answer> {
  await prepareDataFolder(location.dataDir)
  const unlock = lockDataFolder(location.dataDir, ADVICE)
  try {
    await using _lock = location.kind === 'postgres' ? await lockPostgres(location.url) : undefined
    return await run()
  } finally {
    unlock()
  }
}

/** Holds what a server on the database would hold. */
async function lockPostgres(url: string): Promise<AsyncDisposable> {
  const { openConnection, endConnection, withoutSecrets } = await import('../postgres/connections.ts')
  const { lockRooms } = await import('../postgres/server-lock.ts')
  const client = await openConnection({ url }, () => {})
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(${lockRooms.server}, 0) as held`,
  )
  if (!rows[0]!.held) {
    await endConnection(client)
    throw usedDatabaseError(withoutSecrets(url))
  }
  return { [Symbol.asyncDispose]: () => endConnection(client) }
}

/**
 * Opens the store to write in it. After `onChange` the next start of a server takes it for restored, since what is written may be older
 * than what open windows have.
 * @throws {SettingError} while a server uses it.
 */
export async function writeInStore<Answer>(
  location: StoreLocation,
  write: (store: Store, onChange: () => Promise<void>) => Promise<Answer>,
): Promise<Answer> {
  await prepareDataFolder(location.dataDir)
  const unlock = lockDataFolder(location.dataDir, ADVICE)
  // On PostgreSQL a node without a file is a new one.
  const reportRestore = () =>
    location.kind === 'postgres'
      ? writeFile(location.markFile, RESTORED, { mode: 0o600 })
      : rm(location.markFile, { force: true })
  let isChanged = false
  try {
    const store = await openStore(location)
    try {
      return await write(store, async () => {
        isChanged = true
        await reportRestore()
      })
    } finally {
      // Writes a new mark.
      await store.close()
      if (isChanged) await reportRestore()
    }
  } finally {
    unlock()
  }
}

async function openStore(location: StoreLocation): Promise<Store> {
  if (location.kind === 'sqlite') return openSqliteStore({ file: location.file })
  const { openPostgresStore, DatabaseInUse } = await import('../postgres.ts')
  const { url, dataDir } = location
  return openPostgresStore({ url, dataDir, exclusive: true, patienceMs: 0 }).catch((error: unknown) => {
    throw error instanceof DatabaseInUse ? usedDatabaseError(error.database, error) : error
  })
}

const usedDatabaseError = (database: string, cause?: unknown): SettingError =>
  new SettingError('DATABASE_URL', database, `which a server uses: ${ADVICE}`, cause)
