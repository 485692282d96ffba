/**
 * What leaves the disk by itself: documents after their time in the trash, and guests who never wrote and stay away. Sweeps soon after
 * the start and every hour, in small steps with pauses between them.
 */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../store/schema.ts'
import { findIdleGuests, forgetGuest } from './forget-guest.ts'
import { claimDue, type Pause, PURGED_AT, removeContents, removeDocument } from './remove-document.ts'

export interface RetentionParts {
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly config: Pick<Config, 'guestsKeptDays' | 'deletedKeptDays'>
  /** A guest's untouched document was deleted, and may be open in a window that was left alone. */
  readonly onDeleted: (document: string) => void
  /** `now` in milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'now' | 'after'>
}

export interface Swept {
  readonly documents: number
  readonly guests: number
}

export interface Retention {
  /** Every hour from now on. */
  start(): void
  /** Never rejects; at once where one is under way. */
  sweep(): Promise<Swept>
  /** Resolves once nothing of it is under way. */
  close(): Promise<void>
}

const FIRST_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Between two steps, each of some milliseconds at most: the store's thread is others' for nine tenths of the time. */
const PAUSE_MS = 20

const wallClock = { now: Date.now, after: realClock.after }

class Closed extends Error {}

export function createRetention({
  db,
  log,
  config: { guestsKeptDays, deletedKeptDays },
  onDeleted,
  clock = wallClock,
}: RetentionParts): Retention {
  let closed = false
  let cancel = () => {}
  let running: Promise<Swept> | null = null

  const pause: Pause = async () => {
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve))
    if (closed) throw new Closed()
  }

  async function forgetGuests(since: string): Promise<number> {
    let forgotten = 0
    for (let after: string | null = ''; after !== null; await pause()) {
      const { guests, next } = await findIdleGuests(db, after, since)
      for (const guest of guests) if (await forget(guest, since)) forgotten += 1
      after = next
    }
    return forgotten
  }

  async function forget(guest: string, since: string): Promise<boolean> {
    await pause()
    const documents = await forgetGuest(db, guest, since)
    if (!documents) return false
    documents.forEach(onDeleted)
    await removeContents(db, deskOfGuest(guest), pause)
    return true
  }

  async function removeDocuments(before: number): Promise<number> {
    for (let removed = 0; ; removed += 1) {
      const due = await claimDue(db, before)
      if (due === null) return removed
      await removeDocument(db, due, pause)
      await pause()
    }
  }

  async function sweepAll(): Promise<Swept> {
    const guests = guestsKeptDays === null ? 0 : await forgetGuests(daysAgoText(guestsKeptDays))
    const before = deletedKeptDays === null ? PURGED_AT : daysAgo(deletedKeptDays)
    const documents = await removeDocuments(before)
    if (guests + documents > 0) log.info({ guests, documents }, 'guests and documents left the disk')
    return { guests, documents }
  }

  const daysAgo = (days: number): number => clock.now() - days * DAY_MS
  const daysAgoText = (days: number): string => new Date(daysAgo(days)).toISOString()

  function sweep(): Promise<Swept> {
    running ??= sweepAll()
      .catch((err: unknown) => {
        if (!(err instanceof Closed)) log.error({ err }, 'the sweep failed, and is tried again in an hour')
        return { guests: 0, documents: 0 }
      })
      .finally(() => (running = null))
    return running
  }

  function sweepAfter(ms: number): void {
    cancel = clock.after(ms, () => void sweep().then(() => !closed && sweepAfter(HOUR_MS)))
  }

  return {
    start: () => sweepAfter(FIRST_MS),
    sweep,
    async close() {
      closed = true
      cancel()
      await running
    },
  }
}

/** As `deskOf` names it. */
const deskOfGuest = (guest: string): string => `user:${guest}`
