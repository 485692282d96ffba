import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { randomId } from '../../lib/protocol/ids.ts'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/names.ts'
import { namesOf } from '../access/people.ts'
import type { Principal } from '../access/principal.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import type { Database } from '../store/schema.ts'
import { type DocumentStore, StoreError } from '../store/store.ts'
import { createDueDates } from './due-dates.ts'
import { createTable, type VersionRow } from './table.ts'
import { tooMany } from './thinning.ts'
import { MAX_NAMED, TooManyVersions, type Version, type Versions } from './versions.ts'

export interface VersionsParts {
  readonly db: Kysely<Database>
  readonly store: Pick<DocumentStore, 'load'>
  readonly log: Logger
  readonly merging?: DocumentMerger
  /** `now` in milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'now' | 'after'>
}

interface Naming {
  readonly name: string | null
  readonly by: Principal
}

const wallClock = { now: Date.now, after: realClock.after }

export function createVersions(parts: VersionsParts): Versions {
  const { db, store, log, merging = new DocumentMerger(), clock = wallClock } = parts
  const table = createTable(db)
  const due = createDueDates({ table, log, clock, make: async (document) => void (await make(document)) })

  return {
    async list(document) {
      const rows = await table.list(document)
      const names = await namesOf(db, [...new Set(rows.flatMap(({ authors }) => authors))])
      return rows.map((row) => toVersion(row, names))
    },
    state: table.state,
    async create(document, name, by) {
      if (name !== null) await refuseTooMany(document)
      const id = await make(document, { name, by })
      const made = (await this.list(document)).find((version) => version.id === id)
      if (!made) throw new StoreError(`The new version of ${document} is gone`)
      return made
    },
    async rename(document, version, name, by) {
      if (name !== null) await refuseTooMany(document, version)
      return table.rename(document, version, name, by.id)
    },
    remove: async (document, version) => (await table.remove(document, [version])) > 0,
    async forget(document) {
      due.forget(document)
      await table.forget(document)
    },
    edited: due.edited,
    left: due.left,
    resume: due.resume,
    close: due.close,
  }

  async function refuseTooMany(document: string, except?: string): Promise<void> {
    const rows = await table.list(document)
    const named = rows.filter(({ id, name }) => name !== null && id !== except)
    if (named.length >= MAX_NAMED) throw new TooManyVersions()
  }

  /** Its id; null when there was nothing to make one of. In turn with whatever else is being merged. */
  function make(document: string, naming?: Naming): Promise<string | null> {
    return merging.runInTurn(document, () =>
      due.fulfil(document, (authors) => write(document, authors, naming)),
    )
  }

  async function write(document: string, authors: readonly string[], naming?: Naming) {
    const [{ updates, sequence }, [last]] = await Promise.all([
      store.load(document, 'body'),
      table.list(document),
    ])
    const name = naming?.name ?? null
    if (last?.sequence === sequence && (name === null || last.name === null)) {
      if (naming && name !== null) await table.rename(document, last.id, name, naming.by.id)
      return last.id
    }
    const text = { document, part: 'body', sequence, updates } as const
    const merged = await merging.merge(text, { gzip: true })
    if (!merged) throw new StoreError(`${document} waits for edits that are not there`)
    const id = randomId()
    const named = { name, namedBy: name === null ? null : naming!.by.id }
    const createdAt = clock.now()
    if (!(await table.insert({ id, document, createdAt, authors, sequence, state: merged.state, ...named })))
      return null
    await table.remove(document, tooMany(await table.list(document), createdAt))
    return id
  }
}

const toVersion = (row: VersionRow, names: ReadonlyMap<string, string>): Version => ({
  id: row.id,
  name: row.name,
  createdAt: row.createdAt,
  bytes: row.bytes,
  authors: row.authors.map((id) => ({ id, name: names.get(id) ?? strings.somebody })),
})
