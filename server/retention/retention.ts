/**
 * Removes from the disk documents whose time in the trash is over, guests who never wrote and stay away, and old versions. Sweeps soon
 * after the start and then every hour, in small steps with pauses between them.
 */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import type { Config } from '../config.ts'
import type { Files } from '../files/files.ts'
import type { Search } from '../search/search.ts'
import type { Database } from '../store/schema.ts'
import { findIdleGuests, deleteIdleGuest } from './idle-guests.ts'
import { removeOldVersions } from './old-versions.ts'
import {
  claimDueDocument,
  type PauseBetweenSteps,
  purgeLeftProposals,
  PURGED_AT,
  removeDocumentContents,
  removeDocument,
} from './remove-document.ts'

export interface RetentionDependencies {
  readonly db: Kysely<Database>
  readonly log: Logger
  readonly config: Pick<Config, 'guestsKeptDays' | 'deletedKeptDays' | 'versionsKeptDays'>
  /** Called when a guest's untouched document was deleted: it may be open in a window that was left alone. */
  readonly onDocumentDeleted: (document: string) => void
  /** What of files nobody needs any more leaves, too. */
  readonly files?: Pick<Files, 'sweep'>
  /** Its words leave the index with a document. */
  readonly search?: Pick<Search, 'remove'>
  /** `now` is in milliseconds since 1970. */
  readonly clock?: Pick<Clock, 'now' | 'after'>
}

export interface SweepResult {
  readonly documents: number
  readonly guests: number
  readonly versions: number
}

export interface Retention {
  /** Sweeps every hour from now on. */
  start(): void
  /** Sweeps at once, or joins the sweep that is running. Never rejects. */
  sweep(): Promise<SweepResult>
  /** Resolves once no sweep is running. */
  close(): Promise<void>
}

const FIRST_SWEEP_DELAY_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The pause between two steps of some milliseconds at most: it leaves the store's thread to others for nine tenths of the time. */
const STEP_PAUSE_MS = 20

const wallClock = { now: Date.now, after: realClock.after }

class RetentionClosed extends Error {}

export function createRetention({
  db,
  log,
  config: { guestsKeptDays, deletedKeptDays, versionsKeptDays },
  onDocumentDeleted,
  files,
  search,
  clock = wallClock,
}: RetentionDependencies): Retention {
  let isClosed = false
  let cancelTimer = () => {}
  let runningSweep: Promise<SweepResult> | null = null

  const pauseBetweenSteps: PauseBetweenSteps = async () => {
    await new Promise<void>((resolve) => void clock.after(STEP_PAUSE_MS, resolve))
    if (isClosed) throw new RetentionClosed()
  }

  async function deleteIdleGuests(since: string): Promise<number> {
    let deletedCount = 0
    for (let after: string | null = ''; after !== null; await pauseBetweenSteps()) {
      const { guests, next } = await findIdleGuests(db, after, since)
      for (const guest of guests) if (await deleteGuest(guest, since)) deletedCount += 1
      after = next
    }
    return deletedCount
  }

  async function deleteGuest(guest: string, since: string): Promise<boolean> {
    await pauseBetweenSteps()
    const documents = await deleteIdleGuest(db, guest, since)
    if (!documents) return false
    documents.forEach(onDocumentDeleted)
    await removeDocumentContents(db, deskNameOfGuest(guest), pauseBetweenSteps)
    return true
  }

  async function removeDocuments(before: number): Promise<number> {
    for (let removed = 0; ;) {
      const due = await claimDueDocument(db, before)
      if (due === null) {
        if ((await purgeLeftProposals(db)) === 0) return removed
        continue
      }
      await search
        ?.remove(due)
        .catch((err: unknown) => log.warn({ err }, 'its words leave the search index later'))
      await removeDocument(db, due, pauseBetweenSteps)
      removed += 1
      await pauseBetweenSteps()
    }
  }

  async function sweepAll(): Promise<SweepResult> {
    const guests = guestsKeptDays === null ? 0 : await deleteIdleGuests(isoDaysAgo(guestsKeptDays))
    const before = deletedKeptDays === null ? PURGED_AT : daysAgo(deletedKeptDays)
    const documents = await removeDocuments(before)
    const versions =
      versionsKeptDays === null
        ? 0
        : await removeOldVersions(db, daysAgo(versionsKeptDays), pauseBetweenSteps)
    const removedFiles = await files?.sweep(pauseBetweenSteps)
    if (removedFiles && Object.values(removedFiles).some((count) => count > 0))
      log.info(removedFiles, 'uploads and files left the disk')
    if (guests + documents + versions > 0)
      log.info({ guests, documents, versions }, 'guests, documents and versions left the disk')
    return { guests, documents, versions }
  }

  const daysAgo = (days: number): number => clock.now() - days * DAY_MS
  const isoDaysAgo = (days: number): string => new Date(daysAgo(days)).toISOString()

  function sweep(): Promise<SweepResult> {
    runningSweep ??= sweepAll()
      .catch((err: unknown) => {
        if (!(err instanceof RetentionClosed))
          log.error({ err }, 'the sweep failed, and is tried again in an hour')
        return { guests: 0, documents: 0, versions: 0 }
      })
      .finally(() => (runningSweep = null))
    return runningSweep
  }

  function scheduleSweep(ms: number): void {
    cancelTimer = clock.after(ms, () => void sweep().then(() => !isClosed && scheduleSweep(HOUR_MS)))
  }

  return {
    start: () => scheduleSweep(FIRST_SWEEP_DELAY_MS),
    sweep,
    async close() {
      isClosed = true
      cancelTimer()
      await runningSweep
    },
  }
}

/** Names the desk as `deskOf` does. */
const deskNameOfGuest = (guest: string): string => `user:${guest}`
