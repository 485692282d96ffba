/** Notices that a document is there again after it was in the trash, or its person was let in again. */
import { api } from '@/components/http-api.ts'

/** Somebody who deletes by mistake restores within seconds, and sees the window come back. Later the server is asked less often (ms). */
const [FIRST_DELAY_MS, LONGEST_DELAY_MS] = [2_000, 30_000]
const DELAY_GROWTH = 1.3

/**
 * Asks the server while the window is visible, and whenever the person comes back to it.
 * @param onReturned May be called more than once.
 * @returns A function that stops it.
 */
export function watchReturn(document: string, onReturned: () => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  let delayMs = FIRST_DELAY_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (): Promise<void> => {
    clearTimeout(timer)
    if (window.document.visibilityState === 'visible') {
      const isThere = await api.getDocument(document, signal).then(
        () => true,
        () => false,
      )
      if (signal.aborted) return
      if (isThere) onReturned()
    }
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), delayMs)
    delayMs = Math.min(delayMs * DELAY_GROWTH, LONGEST_DELAY_MS)
  }
  timer = setTimeout(() => void ask(), delayMs)
  for (const event of ['focus', 'visibilitychange', 'online'])
    addEventListener(event, () => void ask(), { signal })
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}
