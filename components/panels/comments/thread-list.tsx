'use client'

import { useRef } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { attentionTo } from '@/lib/comments/attention.ts'
import { reopen, resolve } from '@/lib/comments/edit.ts'
import type { Placed } from '@/lib/comments/placed.ts'
import type { Author } from '@/lib/comments/thread.ts'
import { useShownPeople } from '@/components/following/use-shown-people'
import { ThreadCard } from './thread-card'
import { strings } from '@/lib/strings/comments.ts'

interface ThreadListProps {
  readonly opened: OpenDocument
  readonly threads: readonly Placed[]
  readonly active: string | null
  readonly writer: Author | null
  readonly onLook: (placed: Placed) => void
}

export function ThreadList({ opened, threads, active, writer, onLook }: ThreadListProps) {
  const list = useRef<HTMLOListElement>(null)
  const { doc } = opened.comments
  const personOf = useShownPeople()
  const onResolve = (placed: Placed) => {
    if (!writer) return
    focusNeighbour(list.current, threads.indexOf(placed))
    attentionTo(opened.doc).set({ thread: null })
    if (placed.thread.resolved) reopen(doc, placed.thread.id)
    else resolve(doc, placed.thread.id, writer)
  }
  return (
    <ol
      ref={list}
      aria-label={strings.threads}
      tabIndex={-1}
      className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3 outline-none"
    >
      {threads.map((placed) => (
        <li key={placed.thread.id}>
          <ThreadCard
            doc={doc}
            placed={placed}
            active={placed.thread.id === active}
            writer={writer}
            personOf={personOf}
            onLook={onLook}
            onResolve={onResolve}
          />
        </li>
      ))}
    </ol>
  )
}

/** A thread that leaves the list had the keyboard: the one that takes its place has it then, or the list. */
function focusNeighbour(list: HTMLElement | null, index: number): void {
  const cards = list?.querySelectorAll<HTMLElement>('article')
  const next = cards?.[index + 1] ?? cards?.[index - 1] ?? list
  next?.focus({ preventScroll: true })
}
