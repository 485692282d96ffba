/**
 * Sends what closed windows could not send (D6), without showing it. One page of the browser does this at a time. A document that some
 * window has open is left to that window. Knows rows and locks; does not know the screen.
 */
import type { BackgroundSyncOptions, BackgroundSyncHandlers } from './background-sync.ts'
import type { OpenDesk, OpenDocument } from './client.ts'
import type { LocksLike } from './locks.ts'
import { browserLocalRecords } from './sync/local/browser-records.ts'
import { copyWriterLock, lockIdOf } from './sync/local/copy-locks.ts'
import type { LocalRecords, PartKey, UnsavedRows } from './sync/local/local-records.ts'
import { rememberedPrincipal } from './sync/local/remembered-principal.ts'
import type { ChannelPart } from './protocol/channel-messages.ts'
import { DocumentRefused } from './sync/wait-for-condition.ts'
import { ifWindowGone } from './window-group/window-lock.ts'

/** How long a document is held open for a server that cannot be reached, in ms. */
const SYNC_TIMEOUT_MS = 20_000

const backgroundSyncLock = 'diptych:courier'

export interface BackgroundSyncPlatform extends BackgroundSyncHandlers {
  readonly records: LocalRecords
  readonly locks: LocksLike
  /** The principal that this browser acts for. */
  principal(): string
  /** @param document '' for the person's desk. */
  open(document: string, parts: readonly ChannelPart[]): Promise<BackgroundDocument>
  readonly timeoutMs?: number
}

/** A document or desk that is open only to be sent. */
interface BackgroundDocument {
  /** Resolves when all its parts are synced. */
  readonly whenSynced: Promise<void>
  whenSaved(): Promise<void>
  /** Whether the connection ended for good (an old page, another person): nothing was refused, and a later round tries again. */
  isStopped(): boolean
  close(): Promise<void>
}

export const backgroundDocumentOf = (
  openedDocument: OpenDocument,
  parts: readonly ChannelPart[],
): BackgroundDocument => ({
  whenSynced: parts.includes('comments')
    ? Promise.all([openedDocument.whenSynced, openedDocument.comments.whenSynced]).then(() => {})
    : openedDocument.whenSynced,
  whenSaved: () => openedDocument.whenSaved(),
  isStopped: () => openedDocument.status.get().link.state === 'stopped',
  close: () => openedDocument.close(),
})

/** A desk is no text: neither its success nor its failure is reported. */
const backgroundDeskOf = (openedDesk: OpenDesk): BackgroundDocument => ({
  whenSynced: openedDesk.whenSynced,
  whenSaved: () => openedDesk.whenSaved(),
  isStopped: () => true,
  close: () => openedDesk.close(),
})

/** Runs one round in a browser. Never rejects. */
export async function sendFromThisBrowser(options: BackgroundSyncOptions): Promise<void> {
  const records = browserLocalRecords()
  if (!records) return
  const url = location.origin
  const open = async (document: string, parts: readonly ChannelPart[]): Promise<BackgroundDocument> => {
    // Hardly any page has something to send, and the client brings Yjs along.
    const { openDesk, openDocument } = await import('./client.ts')
    const transport = options.transport()
    return document
      ? backgroundDocumentOf(openDocument({ url, document, transport }), parts)
      : backgroundDeskOf(openDesk({ url, transport }))
  }
  await sendUnsavedRows({ ...options, records, locks: navigator.locks, principal: rememberedPrincipal, open })
}

/** Runs one round. Never rejects: what fails is tried in the next round. */
export async function sendUnsavedRows(platform: BackgroundSyncPlatform): Promise<void> {
  const round = async (): Promise<void> => {
    for (const unsaved of await orphanedRowsByDocument(platform)) await sendDocument(platform, unsaved)
  }
  await platform.locks.request(backgroundSyncLock, {}, round).catch(() => {})
}

/** This person's rows that closed windows have left, grouped by document. */
async function orphanedRowsByDocument({
  records,
  locks,
  principal,
}: BackgroundSyncPlatform): Promise<UnsavedRows[][]> {
  const all = await records.listUnsavedRows()
  const own = all.filter((left) => ['', principal()].includes(left.principal))
  const orphaned: UnsavedRows[] = []
  for (const rows of own) if (await isOrphaned(locks, rows)) orphaned.push(rows)
  return [...Map.groupBy(orphaned, ({ document }) => document).values()]
}

/** Whether neither the rows' own window nor any other has the document open. */
async function isOrphaned(locks: LocksLike, rows: UnsavedRows): Promise<boolean> {
  const isGone = await ifWindowGone(locks, lockIdOf(rows.window), async () => {})
  return isGone && !(await hasCopyWriter(locks, rows))
}

const hasCopyWriter = (locks: LocksLike, key: PartKey): Promise<boolean> =>
  locks.request(copyWriterLock(key), { ifAvailable: true }, async (lock) => lock === null)

async function sendDocument(
  platform: BackgroundSyncPlatform,
  unsaved: readonly UnsavedRows[],
): Promise<void> {
  const { document } = unsaved[0]!
  const changes = unsaved.reduce((sum, rows) => sum + rows.changes, 0)
  const timeoutMs = platform.timeoutMs ?? SYNC_TIMEOUT_MS
  const backgroundDocument = await platform.open(
    document,
    unsaved.map(({ part }) => part),
  )
  try {
    await rejectAfter(timeoutMs, backgroundDocument.whenSynced)
    await rejectAfter(timeoutMs, backgroundDocument.whenSaved())
    if (document) platform.onSent(changes)
  } catch (error) {
    if (error instanceof DocumentRefused && !backgroundDocument.isStopped())
      platform.onRefused(changes, error.message)
  } finally {
    await backgroundDocument.close()
  }
}

function rejectAfter(ms: number, promise: Promise<void>): Promise<void> {
  const { promise: timedOut, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`not within ${ms} ms`)), ms)
  return Promise.race([promise, timedOut]).finally(() => clearTimeout(timer))
}
