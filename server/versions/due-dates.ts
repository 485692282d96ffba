/**
 * When a version makes itself: ten minutes after the first edit since the last one, or when the last person has left. Knows
 * who wrote since; does not know how a version is made.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/session/clock.ts'
import type { VersionsTable } from './table.ts'

/** Also after a failure. */
const EVERY_MS = 10 * 60_000

export interface DueDatesParts {
  readonly table: Pick<VersionsTable, 'note' | 'noted' | 'unversioned'>
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
  make(document: string): Promise<void>
}

/** A document that was edited since its last version. */
interface Due {
  authors: Set<string>
  cancel(): void
}

export function createDueDates({ table, clock, log, make }: DueDatesParts) {
  const dues = new Map<string, Due>()
  const making = new Set<Promise<void>>()
  let closed = false

  const open = (document: string, afterMs: number): Due => {
    const due: Due = { authors: new Set(), cancel: () => {} }
    dues.set(document, due)
    schedule(document, due, afterMs)
    return due
  }

  const schedule = (document: string, due: Due, afterMs: number) => {
    due.cancel()
    due.cancel = clock.after(afterMs, () => run(document))
  }

  const run = (document: string) => {
    const made = make(document)
      .catch((error: unknown) =>
        log.error({ document, err: error }, 'no version was made; it is tried again'),
      )
      .finally(() => making.delete(made))
    making.add(made)
  }

  const note = (document: string, principal: string) =>
    void table
      .note({ document, principal, since: clock.now() })
      .catch((error: unknown) => log.error({ document, err: error }, 'an author was not noted'))

  /** What was written while a version was being made belongs to the next one; after a failure all of it does. */
  const giveBack = (document: string, authors: ReadonlySet<string>) => {
    const due = dues.get(document) ?? open(document, EVERY_MS)
    for (const author of authors) due.authors.add(author)
  }

  return {
    edited(document: string, principal: string): void {
      if (closed || dues.get(document)?.authors.has(principal)) return
      const due = dues.get(document) ?? open(document, EVERY_MS)
      due.authors.add(principal)
      note(document, principal)
    },

    left(document: string): void {
      const due = dues.get(document)
      if (due && !closed) schedule(document, due, 0)
    },

    forget(document: string): void {
      dues.get(document)?.cancel()
      dues.delete(document)
    },

    /** A version is made by `write`, of all who wrote until now. */
    async fulfil<T>(document: string, write: (authors: readonly string[]) => Promise<T>): Promise<T> {
      const authors = dues.get(document)?.authors ?? new Set()
      this.forget(document)
      const begun = clock.now()
      try {
        const answer = await write([...authors])
        await table.noted(document, begun)
        return answer
      } catch (error) {
        if (authors.size > 0 && !closed) giveBack(document, authors)
        throw error
      }
    },

    async resume(): Promise<void> {
      for (const { document, principal, since } of await table.unversioned()) {
        const due = dues.get(document) ?? open(document, Math.max(0, since + EVERY_MS - clock.now()))
        due.authors.add(principal)
      }
    },

    async close(): Promise<void> {
      closed = true
      for (const { cancel } of dues.values()) cancel()
      dues.clear()
      await Promise.all(making)
    },
  }
}
