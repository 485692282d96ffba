import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { randomId } from '../../lib/protocol/ids.ts'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { namesStrings } from '../../lib/strings/names.ts'
import { storageStrings } from '../../lib/strings/storage.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import type { Principal } from '../access/principal.ts'
import { NoSpace, type StorageQuota } from '../storage/storage-quota.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentStore, StoreError } from '../store/store.ts'
import { createVersionSchedule } from './version-schedule.ts'
import { createVersionsTable, type VersionRow } from './versions-table.ts'
import { versionsToRemove } from './version-thinning.ts'
import { MAX_NAMED_VERSIONS, TooManyVersions, type DocumentVersion, type Versions } from './versions.ts'

export interface VersionsDependencies {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load'>
  readonly log: Logger
  readonly merger?: DocumentMerger
  /** Without it there is no limit. */
  readonly storage?: Pick<StorageQuota, 'hasRoomForVersion' | 'storeVersion'>
  /** `now` is in milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'now' | 'after'>
}

interface VersionNaming {
  readonly name: string | null
  readonly principal: Principal
}

const wallClock = { now: Date.now, after: realClock.after }

export function createVersions(dependencies: VersionsDependencies): Versions {
  const { db, store, log, storage, merger = new DocumentMerger(), clock = wallClock } = dependencies
  const table = createVersionsTable(db)
  const schedule = createVersionSchedule({
    table,
    log,
    clock,
    createVersion: async (document) => void (await createVersion(document)),
  })

  return {
    async list(document) {
      const rows = await table.list(document)
      const names = await findPrincipalNames(db, [...new Set(rows.flatMap(({ authors }) => authors))])
      return rows.map((row) => toVersion(row, names))
    },
    stateBytes: table.stateBytes,
    state: table.state,
    async create(document, name, principal) {
      if (name !== null) await refuseTooMany(document)
      const id = await createVersion(document, { name, principal })
      const created = (await this.list(document)).find((version) => version.id === id)
      if (!created) throw new StoreError(`The new version of ${document} is gone`)
      return created
    },
    async rename(document, version, name, by) {
      if (name !== null) await refuseTooMany(document, version)
      return table.rename(document, version, name, by.id)
    },
    remove: async (document, version) => (await table.remove(document, [version])) > 0,
    async forgetDocument(document) {
      schedule.forgetDocument(document)
      await table.removeAll(document)
    },
    onEdited: schedule.onEdited,
    onLeft: schedule.onLeft,
    resume: schedule.resume,
    close: schedule.close,
  }

  async function refuseTooMany(document: string, exceptVersion?: string): Promise<void> {
    const rows = await table.list(document)
    const namedRows = rows.filter(({ id, name }) => name !== null && id !== exceptVersion)
    if (namedRows.length >= MAX_NAMED_VERSIONS) throw new TooManyVersions()
  }

  /** Returns the new version's id, or null when the document is gone. Runs in turn with other merges of the document. */
  function createVersion(document: string, naming?: VersionNaming): Promise<string | null> {
    return merger.runInTurn(document, () =>
      schedule.runVersion(document, (authors) => writeVersion(document, authors, naming)),
    )
  }

  async function writeVersion(document: string, authors: readonly string[], naming?: VersionNaming) {
    const [{ updates, sequence }, [latest]] = await Promise.all([
      store.load(document, 'body'),
      table.list(document),
    ])
    const name = naming?.name ?? null
    if (latest?.sequence === sequence && (name === null || latest.name === null)) {
      if (naming && name !== null) await table.rename(document, latest.id, name, naming.principal.id)
      return latest.id
    }
    const isNamed = naming !== undefined
    if (storage && !(await storage.hasRoomForVersion(document, isNamed))) return refuseForSpace(isNamed)
    const mergeRequest = { document, part: 'body', sequence, updates } as const
    const merged = await merger.merge(mergeRequest, { gzip: true })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    const id = randomId()
    const nameFields = { name, namedBy: name === null ? null : naming!.principal.id }
    const createdAt = clock.now()
    const { state } = merged
    const insert = (): Promise<boolean> =>
      table.insert({ id, document, createdAt, authors, sequence, state, ...nameFields })
    const isInserted = storage
      ? await storage.storeVersion({ document, isNamed, bytes: state.length }, insert)
      : await insert()
    if (isInserted === null) return refuseForSpace(isNamed)
    if (!isInserted) return null
    await table.remove(document, versionsToRemove(await table.list(document), createdAt))
    return id
  }
}

/** An automatic version is left out. */
function refuseForSpace(isNamed: boolean): null {
  if (isNamed) throw new NoSpace(storageStrings.noVersion)
  return null
}

const toVersion = (row: VersionRow, names: ReadonlyMap<string, string>): DocumentVersion => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt,
  bytes: row.bytes,
  authors: row.authors.map((id) => ({ id, name: names.get(id) ?? namesStrings.somebody })),
})
