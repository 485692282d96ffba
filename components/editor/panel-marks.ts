/** What this window's panels speak of, marked in its text: threads of comments, and what was found. */
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { anchorOf, locate } from '@/lib/comments/anchor.ts'
import { type AttentionStore, attentionTo } from '@/lib/comments/attention.ts'
import { moveThread } from '@/lib/comments/edit.ts'
import { PlacedThreads } from '@/lib/comments/placed.ts'
import { stretchOfMatch } from '@/lib/text/find.ts'
import { linesOf, type Stretch } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { threadsIn } from '@/lib/comments/threads.ts'
import { finderOf } from '@/components/panels/find/finder-here'
import { wish } from '@/components/panels/wish'
import type { Highlight, Highlighted } from './highlights'

/** More would be a coloured page, and cost at each key. */
const MAX_MARKS = 1_000

export function foundMarks(opened: OpenDocument): Highlighted {
  const finder = finderOf(opened)
  const get = (): Highlight[] => {
    const { matches, current } = finder.get()
    const first = Math.max(0, Math.min((current ?? 0) - MAX_MARKS / 2, matches.length - MAX_MARKS))
    return matches.slice(first, first + MAX_MARKS).map((match, index) => ({
      ...stretchOfMatch(match),
      id: String(first + index),
      look: first + index === current ? 'found-mark found-mark-current' : 'found-mark',
      letters: match.text,
    }))
  }
  return { get, subscribe: finder.subscribe }
}

export function commentMarks(opened: OpenDocument): Highlighted {
  const attention = attentionTo(opened.doc)
  let threads: PlacedThreads | undefined
  const get = () => [...marksOf(threads, attention.get().thread), ...draftMark(opened)]
  const subscribe = (listener: () => void) => {
    const undos = [attention.subscribe(listener)]
    let gone = false
    // The text comes first: comments are asked for when it is there.
    void opened.whenSynced.then(
      () => {
        if (gone) return
        const { doc } = opened.comments
        threads = new PlacedThreads(doc, opened.doc.getXmlFragment('default'))
        undos.push(threadsIn(doc).subscribe(listener), leaveResolved(doc, attention))
        listener()
      },
      () => undefined,
    )
    return () => {
      gone = true
      undos.forEach((undo) => undo())
    }
  }
  return {
    get,
    subscribe,
    onClick: (thread) => showThread(opened, thread),
    onMoved: (stretches) => keepPlaces(opened, stretches),
  }
}

/** A thread that is looked at here may be resolved elsewhere: its words are unmarked with it. */
function leaveResolved(doc: Y.Doc, attention: AttentionStore): () => void {
  const openThreads = () =>
    new Set(
      threadsIn(doc)
        .get()
        .flatMap(({ id, resolved }) => (resolved ? [] : [id])),
    )
  let before = openThreads()
  return threadsIn(doc).subscribe(() => {
    const now = openThreads()
    const { thread } = attention.get()
    if (thread !== null && before.has(thread) && !now.has(thread)) attention.set({ thread: null })
    before = now
  })
}

/** In the panel, which may have to be opened for it. */
export function showThread({ doc }: OpenDocument, thread: string): void {
  attentionTo(doc).set({ thread })
  wish({ panel: 'comments', thread })
}

/**
 * A line that is split or joined is new text to Yjs, and positions in it are dead. The window in which it was done knows where the
 * words are, and says so.
 */
function keepPlaces(opened: OpenDocument, stretches: ReadonlyMap<string, Stretch>): void {
  const text = opened.doc.getXmlFragment('default')
  const lines = linesOf(treeOf(text))
  const { doc } = opened.comments
  doc.transact(({ meta }) => {
    meta.set('addToHistory', false)
    for (const { id, anchor } of threadsIn(doc).get()) {
      const stretch = stretches.get(id)
      const moved = stretch && anchorOf(lines, stretch)
      if (moved && !isSame(locate(text, lines, anchor), locate(text, lines, moved)))
        moveThread(doc, id, moved)
    }
  })
}

function isSame(a: Stretch | null, b: Stretch | null): boolean {
  if (!a || !b) return a === b
  const values = ({ from, to }: Stretch) => [from.line, from.offset, to.line, to.offset].join()
  return values(a) === values(b)
}

function marksOf(threads: PlacedThreads | undefined, active: string | null): Highlight[] {
  return (threads?.get() ?? []).flatMap(({ thread: { id, resolved }, stretch }) => {
    if (!stretch || (resolved && id !== active)) return []
    return [{ id, ...stretch, look: id === active ? 'comment-mark comment-mark-active' : 'comment-mark' }]
  })
}

/** While a comment is written its words stay marked: the keyboard, and with it the selection, is elsewhere. */
function draftMark({ doc }: OpenDocument): Highlight[] {
  const { draft } = attentionTo(doc).get()
  const text = doc.getXmlFragment('default')
  const stretch = draft && locate(text, linesOf(treeOf(text)), draft)
  return stretch ? [{ id: '', ...stretch, look: 'comment-mark comment-mark-active' }] : []
}
