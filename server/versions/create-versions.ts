import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { randomId } from '../../lib/protocol/ids.ts'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { apiStrings } from '../../lib/strings/api.ts'
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

export interface VersionAuthor {
  /** `Principal.id`. */
  readonly id: string
  readonly name: string
}

export interface DocumentVersion {
  readonly id: string
  /** Null for an automatic version, which may be thinned out. */
  readonly name: string | null
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The people who wrote since the version before. */
  readonly authors: readonly VersionAuthor[]
  /** The size as stored, compressed. */
  readonly bytes: number
}

/** Limits the named versions of one document, because named versions are never thinned out. */
export const MAX_NAMED_VERSIONS = 200

export class TooManyVersions extends Error {
  override readonly name = 'TooManyVersions'

  constructor() {
    super(apiStrings.version.tooMany(MAX_NAMED_VERSIONS))
  }
}

interface VersionNaming {
  readonly name: string | null
  readonly principal: Principal
}

const wallClock = { now: Date.now, after: realClock.after }

export type Versions = ReturnType<typeof createVersions>

/** Versions of a document's body: the text as it was on disk at some time. It knows the store; it does not know rooms or requests. */
export function createVersions(dependencies: VersionsDependencies) {
  const { db, store, log, storage, merger = new DocumentMerger(), clock = wallClock } = dependencies
  const table = createVersionsTable(db)
  const schedule = createVersionSchedule({
    table,
    log,
    clock,
    createVersion: async (document) => void (await createVersion(document)),
  })

  return {
    list,
    /** How many bytes `state` returns; null when the document has no such version. */
    stateBytes: table.stateBytes,
    /** Returns a Yjs update V1, gzip, or null when the document has no such version. */
    state: table.state,
    /**
     * Creates a version of all that is committed now. When the newest version has the same text and no name yet, that one is
     * returned, with the name. A version without a name may be thinned out.
     * @throws {TooManyVersions}
     */
    async create(document: string, name: string | null, principal: Principal): Promise<DocumentVersion> {
      if (name !== null) await refuseTooMany(document)
      const id = await createVersion(document, { name, principal })
      const created = (await list(document)).find((version) => version.id === id)
      if (!created) throw new StoreError(`The new version of ${document} is gone`)
      return created
    },
    /**
     * Sets the name; null removes it. Returns false when the document has no such version.
     * @throws {TooManyVersions}
     */
    async rename(document: string, version: string, name: string | null, by: Principal): Promise<boolean> {
      if (name !== null) await refuseTooMany(document, version)
      return table.rename(document, version, name, by.id)
    },
    remove: async (document: string, version: string, options?: { keepNamed: boolean }): Promise<boolean> =>
      (await table.remove(document, [version], options)) > 0,
    /** Removes all versions when the document was deleted for good. */
    async forgetDocument(document: string): Promise<void> {
      schedule.forgetDocument(document)
      await table.removeAll(document)
    },
    /** Called when somebody's edit is on disk. It usually costs the caller one lookup in a map. */
    onEdited: schedule.onEdited,
    /** Called when nobody is in the document any more. */
    onLeft: schedule.onLeft,
    /** Continues with what was due when the server last ended. */
    resume: schedule.resume,
    /** Creates no more versions; what is due stays due. Resolves when the running one is done. */
    close: schedule.close,
  }

  /** Returns the newest first. */
  async function list(document: string): Promise<DocumentVersion[]> {
    const rows = await table.list(document)
    const names = await findPrincipalNames(db, [...new Set(rows.flatMap(({ authors }) => authors))])
    return rows.map((row) => toVersion(row, names))
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
    await table.remove(document, versionsToRemove(await table.list(document), createdAt), { keepNamed: true })
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
