/**
 * Has what closed windows could not send (D6), edits and files, sent by any page of the site, from time to time. The code that does it is loaded where this
 * browser stores edits. Knows when to look; does not know what is stored.
 */
import type { OpenOptions } from './client.ts'
import { loadInBackground } from './load-in-background.ts'
import { hasLocalFiles, hasLocalRows } from './sync/local/has-local-rows.ts'

/** How often unsent rows are tried again, in ms. */
const ROUND_INTERVAL_MS = 60_000

export interface BackgroundSyncHandlers {
  /** The server has saved so many changes of one document. */
  onSent(changes: number): void
  /** The server will never accept these changes. They stay on this device. */
  onRefused(changes: number, reason: string): void
}

export interface BackgroundSyncOptions extends BackgroundSyncHandlers {
  transport(): NonNullable<OpenOptions['transport']>
}

const loadCode = loadInBackground(() => import('./send-unsaved-rows.ts'))
const loadFiles = loadInBackground(() => import('./files/browser-files.ts'))

/** Returns a function that stops it. Does nothing outside a browser. */
export function startBackgroundSync(options: BackgroundSyncOptions): () => void {
  const startRound = withoutOverlap(async () => {
    if (await hasLocalFiles()) void loadFiles().then(({ browserUploads }) => browserUploads()?.start())
    if (!(await hasLocalRows())) return
    const { sendFromThisBrowser } = await loadCode()
    await sendFromThisBrowser(options)
  })
  startRound()
  const timer = setInterval(startRound, ROUND_INTERVAL_MS)
  addEventListener('online', startRound)
  return () => {
    clearInterval(timer)
    removeEventListener('online', startRound)
  }
}

/** A round may take longer than the interval, and waits for the rounds of other pages. Skipping prevents a growing queue. */
export function withoutOverlap(round: () => Promise<void>): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    void round().finally(() => (isRunning = false))
  }
}
