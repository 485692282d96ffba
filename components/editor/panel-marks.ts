/** What this window's panels speak of, marked in its text: threads of comments, and what was found. */
import type { OpenDocument } from '@/lib/client.ts'
import { locate } from '@/lib/comments/anchor.ts'
import { attentionTo } from '@/lib/comments/attention.ts'
import { PlacedThreads } from '@/lib/comments/placed.ts'
import { linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { threadsIn } from '@/lib/comments/threads.ts'
import { finderOf } from '@/components/panels/find/finder-here'
import type { Highlight, Highlighted } from './highlights'

/** More would be a coloured page, and cost at each key. */
const MAX_MARKS = 1_000

export function foundMarks(opened: OpenDocument): Highlighted {
  const finder = finderOf(opened)
  const get = (): Highlight[] => {
    const { matches, current } = finder.get()
    const first = Math.max(0, Math.min((current ?? 0) - MAX_MARKS / 2, matches.length - MAX_MARKS))
    return matches.slice(first, first + MAX_MARKS).map(({ line, offset, text }, index) => ({
      id: String(first + index),
      from: { line, offset },
      to: { line, offset: offset + text.length },
      look: first + index === current ? 'found-mark found-mark-current' : 'found-mark',
      letters: text,
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
        undos.push(threadsIn(doc).subscribe(listener))
        listener()
      },
      () => undefined,
    )
    return () => {
      gone = true
      undos.forEach((undo) => undo())
    }
  }
  return { get, subscribe, onClick: (thread) => attention.set({ thread }) }
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
