/** Highlights the words that threads are about. */
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { locateAnchor } from '@/lib/comments/anchor.ts'
import { moveThread } from '@/lib/comments/edit-threads.ts'
import { LocatedThreads } from '@/lib/comments/located-threads.ts'
import { threadAnchorOf } from '@/lib/comments/thread-anchor.ts'
import { type ThreadFocusStore, threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { threadStoreOf } from '@/lib/comments/thread-store.ts'
import { linesOf, type LineRange } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import type { Highlight, HighlightSource } from './highlights.ts'
import { showThread } from './show-thread.ts'

export function threadHighlights(opened: OpenDocument): HighlightSource {
  const threadFocus = threadFocusOf(opened.doc)
  let threads: LocatedThreads | undefined
  const get = () => [...highlightsOf(threads, threadFocus.get().thread), ...draftHighlight(opened)]
  const subscribe = (listener: () => void) => {
    const unsubscribers = [threadFocus.subscribe(listener)]
    let isStopped = false
    // The text loads first; comments are requested once it is there.
    void opened.whenSynced.then(
      () => {
        if (isStopped) return
        const { doc } = opened.comments
        threads = new LocatedThreads(doc, opened.doc.getXmlFragment('default'))
        unsubscribers.push(threadStoreOf(doc).subscribe(listener), unfocusResolved(doc, threadFocus))
        listener()
      },
      () => undefined,
    )
    return () => {
      isStopped = true
      unsubscribers.forEach((undo) => undo())
    }
  }
  return {
    get,
    subscribe,
    onClick: (thread) => showThread(opened, thread),
    onBlocksMoved: (ranges) => updateAnchors(opened, ranges),
  }
}

/** Removes the focus from a thread that somebody resolves elsewhere, so that its words lose their highlight. */
function unfocusResolved(doc: Y.Doc, threadFocus: ThreadFocusStore): () => void {
  const openThreads = () =>
    new Set(
      threadStoreOf(doc)
        .get()
        .flatMap(({ id, resolved }) => (resolved ? [] : [id])),
    )
  let before = openThreads()
  return threadStoreOf(doc).subscribe(() => {
    const now = openThreads()
    const { thread } = threadFocus.get()
    if (thread !== null && before.has(thread) && !now.has(thread)) threadFocus.set({ thread: null })
    before = now
  })
}

/**
 * Writes new anchors after an edit in this window. A line that is split or joined is new text to Yjs, so positions in it are dead, and only
 * the window that made the edit knows where the words are.
 */
function updateAnchors(opened: OpenDocument, ranges: ReadonlyMap<string, LineRange>): void {
  const text = opened.doc.getXmlFragment('default')
  const lines = linesOf(treeOf(text))
  const { doc } = opened.comments
  doc.transact(({ meta }) => {
    meta.set('addToHistory', false)
    for (const { id, anchor } of threadStoreOf(doc).get()) {
      const range = ranges.get(id)
      const newAnchor = range && threadAnchorOf(lines, range)
      if (newAnchor && !isSameRange(locateAnchor(text, lines, anchor), locateAnchor(text, lines, newAnchor)))
        moveThread(doc, id, newAnchor)
    }
  })
}

function isSameRange(a: LineRange | null, b: LineRange | null): boolean {
  if (!a || !b) return a === b
  const values = ({ from, to }: LineRange) => [from.line, from.offset, to.line, to.offset].join()
  return values(a) === values(b)
}

function highlightsOf(threads: LocatedThreads | undefined, active: string | null): Highlight[] {
  return (threads?.get() ?? []).flatMap(({ thread: { id, resolved }, range }) => {
    if (!range || (resolved && id !== active)) return []
    return [{ id, ...range, className: id === active ? 'comment-mark comment-mark-active' : 'comment-mark' }]
  })
}

/** The words of a comment stay highlighted while it is written: the focus, and with it the selection, is elsewhere. */
function draftHighlight({ doc }: OpenDocument): Highlight[] {
  const { draft } = threadFocusOf(doc).get()
  const text = doc.getXmlFragment('default')
  const range = draft && locateAnchor(text, linesOf(treeOf(text)), draft)
  return range ? [{ id: '', ...range, className: 'comment-mark comment-mark-active' }] : []
}
