/** Highlights the words that comments are about. The code for it is loaded once there is a thread, or a comment is begun. */
import type { OpenDocument } from '@/lib/client.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { THREADS } from '@/lib/protocol/comments.ts'
import type { HighlightSource } from './highlights.ts'

export function commentHighlights(opened: OpenDocument): HighlightSource {
  let source: HighlightSource | undefined
  return {
    get: () => source?.get() ?? [],
    subscribe: (listener) =>
      onFirstComment(opened, async () => {
        const { threadHighlights } = await import('./thread-highlights.ts')
        source = threadHighlights(opened)
        const stop = source.subscribe(listener)
        listener()
        return stop
      }),
    onClick: (thread) => source?.onClick?.(thread),
    onBlocksMoved: (ranges) => source?.onBlocksMoved?.(ranges),
  }
}

/**
 * Starts something once there is a comment, and again with the next change of comments if that fails. Returns a function that stops what
 * was started.
 */
function onFirstComment(opened: OpenDocument, start: () => Promise<() => void>): () => void {
  const focus = threadFocusOf(opened.doc)
  const stops: (() => void)[] = []
  let state: 'waiting' | 'starting' | 'started' | 'stopped' = 'waiting'
  const stop = () => {
    state = 'stopped'
    stops.forEach((undo) => undo())
  }
  const startIfCommented = async (isCommented: boolean) => {
    if (!isCommented || state !== 'waiting') return
    state = 'starting'
    const stopStarted = await start().catch(() => null)
    if (stopStarted) stops.push(stopStarted)
    if (isStopped()) stopStarted?.()
    else state = stopStarted ? 'started' : 'waiting'
  }

  const isStopped = () => state === 'stopped'
  stops.push(focus.subscribe(() => void startIfCommented(focus.get().draft !== null)))
  // The text loads first; comments are requested once it is there.
  opened.whenSynced.then(
    () => {
      if (isStopped()) return
      const threads = opened.comments.doc.getMap(THREADS)
      const onChange = () => void startIfCommented(threads.size > 0)
      threads.observe(onChange)
      stops.push(() => threads.unobserve(onChange))
      onChange()
    },
    () => undefined,
  )
  return stop
}
