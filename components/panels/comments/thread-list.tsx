'use client'

import { useRef } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { reopenThread, resolveThread } from '@/lib/comments/edit-threads.ts'
import type { LocatedThread } from '@/lib/comments/located-threads.ts'
import type { CommentAuthor } from '@/lib/comments/stored-thread.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { ThreadCard } from './thread-card.tsx'
import { commentsStrings } from '@/lib/strings/comments.ts'

interface ThreadListProps {
  readonly opened: OpenDocument
  readonly threads: readonly LocatedThread[]
  readonly active: string | null
  readonly writer: CommentAuthor | null
  readonly onSelect: (located: LocatedThread) => void
}

export function ThreadList({ opened, threads, active, writer, onSelect }: ThreadListProps) {
  const list = useRef<HTMLOListElement>(null)
  const { doc } = opened.comments
  const personOf = useShownPeople()
  const onResolve = (located: LocatedThread) => {
    if (!writer) return
    focusNeighbour(list.current, threads.indexOf(located))
    threadFocusOf(opened.doc).set({ thread: null })
    if (located.thread.resolved) reopenThread(doc, located.thread.id)
    else resolveThread(doc, located.thread.id, writer)
  }
  return (
    <ol
      ref={list}
      aria-label={commentsStrings.threads}
      tabIndex={-1}
      className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3 outline-none"
    >
      {threads.map((located) => (
        <li key={located.thread.id}>
          <ThreadCard
            doc={doc}
            located={located}
            active={located.thread.id === active}
            writer={writer}
            personOf={personOf}
            onSelect={onSelect}
            onResolve={onResolve}
          />
        </li>
      ))}
    </ol>
  )
}

/** When a focused thread leaves the list, moves the focus to the thread that takes its place, or to the list. */
function focusNeighbour(list: HTMLElement | null, index: number): void {
  const cards = list?.querySelectorAll<HTMLElement>('article')
  const next = cards?.[index + 1] ?? cards?.[index - 1] ?? list
  next?.focus({ preventScroll: true })
}
