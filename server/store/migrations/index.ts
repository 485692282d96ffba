/** Every migration ever released, in order. A released one is never edited; the next change gets the next number. */
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { log } from './0001-log.ts'
import { documents } from './0002-documents.ts'
import { people } from './0003-people.ts'
import { versions } from './0004-versions.ts'
import { stateVectors } from './0005-state-vectors.ts'
import { clientOwners } from './0006-client-owners.ts'
import { newcomers } from './0007-newcomers.ts'
import { profiles } from './0008-profiles.ts'
import { trash } from './0009-trash.ts'
import { nodes } from './0010-nodes.ts'
import { documentSizes } from './0011-document-sizes.ts'
import { titleKeys } from './0012-title-keys.ts'
import { snapshotPieces } from './0013-snapshot-pieces.ts'
import { removedPeople } from './0014-removed-people.ts'
import { files } from './0015-files.ts'
import { uploadNodes } from './0016-upload-nodes.ts'
import { fileStorage } from './0017-file-storage.ts'
import { order } from './0018-order.ts'
import { proposals } from './0019-proposals.ts'
import { claimTimes } from './0020-claim-times.ts'

const migrations: Record<string, Migration> = {
  '0001-log': log,
  '0002-documents': documents,
  '0003-people': people,
  '0004-versions': versions,
  '0005-state-vectors': stateVectors,
  '0006-client-owners': clientOwners,
  '0007-newcomers': newcomers,
  '0008-profiles': profiles,
  '0009-trash': trash,
  '0010-nodes': nodes,
  '0011-document-sizes': documentSizes,
  '0012-title-keys': titleKeys,
  '0013-snapshot-pieces': snapshotPieces,
  '0014-removed-people': removedPeople,
  '0015-files': files,
  '0016-upload-nodes': uploadNodes,
  '0017-file-storage': fileStorage,
  '0018-order': order,
  '0019-proposals': proposals,
  '0020-claim-times': claimTimes,
}

/** The name of the last one: what a store of this version has. */
export const latestMigration = Object.keys(migrations).at(-1)!

export const firstMigration = Object.keys(migrations)[0]!

/** Runs all missing migrations in one transaction. Throws what the failing one threw. */
export const migrate = async <T>(db: Kysely<T>): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  refuseNewerStore(await readMigrationNames(db))
  throw error as Error
}

/** @param names The migrations that a store has, in order. @throws {Error} if a newer version made one: continues "the database …: ". */
export const refuseNewerStore = (names: readonly string[]): void => {
  const newest = names.at(-1)
  if (newest === undefined || newest <= latestMigration) return
  throw new Error(
    `it belongs to a newer Diptych (its tables are those of ${newest}, and this one knows them up to ${latestMigration}): start that one, or restore a backup from before`,
  )
}

const readMigrationNames = async <T>(db: Kysely<T>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
