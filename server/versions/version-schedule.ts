/**
 * Schedules automatic versions: ten minutes after the first edit since the last version, or when the last person has left. It knows
 * who wrote since then; it does not know how a version is made.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/session/clock.ts'
import type { VersionsTable } from './versions-table.ts'

/** The same interval applies after a failure. */
const VERSION_INTERVAL_MS = 10 * 60_000

export interface VersionScheduleDependencies {
  readonly table: Pick<VersionsTable, 'recordAuthor' | 'listUnversionedAuthors' | 'deleteAuthorsBefore'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
  createVersion(document: string): Promise<void>
}

/** A document that was edited since its last version. */
interface DueVersion {
  authors: Set<string>
  cancel(): void
}

export function createVersionSchedule({ table, clock, log, createVersion }: VersionScheduleDependencies) {
  const dueVersions = new Map<string, DueVersion>()
  const runningVersions = new Set<Promise<void>>()
  let isClosed = false

  const addDueVersion = (document: string, afterMs: number): DueVersion => {
    const due: DueVersion = { authors: new Set(), cancel: () => {} }
    dueVersions.set(document, due)
    schedule(document, due, afterMs)
    return due
  }

  const schedule = (document: string, due: DueVersion, afterMs: number) => {
    due.cancel()
    due.cancel = clock.after(afterMs, () => startVersion(document))
  }

  const startVersion = (document: string) => {
    const running = createVersion(document)
      .catch((error: unknown) =>
        log.error({ document, err: error }, 'no version was made; it is tried again'),
      )
      .finally(() => runningVersions.delete(running))
    runningVersions.add(running)
  }

  const recordAuthor = (document: string, principal: string) =>
    void table
      .recordAuthor({ document, principal, since: clock.now() })
      .catch((error: unknown) => log.error({ document, err: error }, 'an author was not noted'))

  /** Keeps the authors for the next version: those who wrote while a version was being made, and all after a failure. */
  const restoreAuthors = (document: string, authors: ReadonlySet<string>) => {
    const due = dueVersions.get(document) ?? addDueVersion(document, VERSION_INTERVAL_MS)
    for (const author of authors) due.authors.add(author)
  }

  return {
    onEdited(document: string, principal: string): void {
      if (isClosed || dueVersions.get(document)?.authors.has(principal)) return
      const due = dueVersions.get(document) ?? addDueVersion(document, VERSION_INTERVAL_MS)
      due.authors.add(principal)
      recordAuthor(document, principal)
    },

    onLeft(document: string): void {
      const due = dueVersions.get(document)
      if (due && !isClosed) schedule(document, due, 0)
    },

    forgetDocument(document: string): void {
      dueVersions.get(document)?.cancel()
      dueVersions.delete(document)
    },

    /** Has `write` make a version of all who wrote until now. */
    async runVersion<T>(document: string, write: (authors: readonly string[]) => Promise<T>): Promise<T> {
      const authors = dueVersions.get(document)?.authors ?? new Set()
      this.forgetDocument(document)
      const startedAt = clock.now()
      try {
        const result = await write([...authors])
        await table.deleteAuthorsBefore(document, startedAt)
        return result
      } catch (error) {
        if (authors.size > 0 && !isClosed) restoreAuthors(document, authors)
        throw error
      }
    },

    async resume(): Promise<void> {
      for (const { document, principal, since } of await table.listUnversionedAuthors()) {
        const due =
          dueVersions.get(document) ??
          addDueVersion(document, Math.max(0, since + VERSION_INTERVAL_MS - clock.now()))
        due.authors.add(principal)
      }
    },

    async close(): Promise<void> {
      isClosed = true
      for (const { cancel } of dueVersions.values()) cancel()
      dueVersions.clear()
      await Promise.all(runningVersions)
    },
  }
}
