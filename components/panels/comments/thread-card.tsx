'use client'

import { Check, CornerDownRight, RotateCcw } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type * as Y from 'yjs'
import { reply } from '@/lib/comments/edit.ts'
import type { Placed } from '@/lib/comments/placed.ts'
import type { Author, Thread } from '@/lib/comments/thread.ts'
import type { ShownPerson } from '@/components/editor/present-people'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Sentence } from '@/components/ui/sentence'
import { Composer } from './composer'
import { MessageItem } from './message-item'
import { strings } from '@/lib/strings/comments.ts'

interface ThreadCardProps {
  readonly doc: Y.Doc
  readonly placed: Placed
  readonly active: boolean
  readonly writer: Author | null
  readonly personOf: (author: Author) => ShownPerson
  readonly onLook: (placed: Placed) => void
  readonly onResolve: (placed: Placed) => void
}

export const ThreadCard = memo(function ThreadCard(props: ThreadCardProps) {
  const { doc, placed, active, writer, personOf, onLook, onResolve } = props
  const { thread } = placed
  const card = useRef<HTMLElement>(null)
  const [replying, setReplying] = useState(false)
  useEffect(() => {
    if (active) card.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const done = () => {
    setReplying(false)
    card.current?.focus({ preventScroll: true })
  }
  const send = (author: Author, text: string) => {
    reply(doc, thread.id, author, text)
    done()
  }
  return (
    <article
      ref={card}
      id={`thread-${thread.id}`}
      tabIndex={-1}
      aria-label={strings.thread.label(shortened(thread.anchor.quote, 60))}
      aria-current={active || undefined}
      className="scroll-my-12 rounded-xl border border-line bg-raised p-3 text-sm aria-current:border-accent aria-current:shadow-float"
    >
      <Quote placed={placed} onLook={onLook} />
      {thread.firstDeleted && <p className="mt-2 text-xs text-muted">{strings.thread.firstDeleted}</p>}
      <ul aria-label={strings.thread.messages} className="mt-2 flex flex-col gap-2.5">
        {thread.messages.map((message) => (
          <MessageItem
            key={message.id}
            doc={doc}
            thread={thread.id}
            message={message}
            writer={writer}
            personOf={personOf}
          />
        ))}
      </ul>
      <Resolved thread={thread} personOf={personOf} />
      {writer && replying && (
        <Composer
          label={strings.thread.reply}
          send={strings.thread.reply}
          onSend={(text) => send(writer, text)}
          onCancel={done}
        />
      )}
      {writer && !replying && (
        <Actions
          resolved={thread.resolved !== undefined}
          onReply={() => setReplying(true)}
          onResolve={() => onResolve(placed)}
        />
      )}
    </article>
  )
})

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`

/** What was said about, as it was; it leads to where it is. */
function Quote({ placed, onLook }: { placed: Placed; onLook: (placed: Placed) => void }) {
  const quote = shortened(placed.thread.anchor.quote, 160)
  const look = 'line-clamp-2 border-s-2 border-wait ps-2 text-start font-serif text-muted'
  if (placed.stretch)
    return (
      <button
        type="button"
        title={strings.thread.goTo}
        onClick={() => onLook(placed)}
        className={`${look} min-h-6 hover:text-ink`}
      >
        {quote}
      </button>
    )
  return (
    <div>
      <p className="mb-1 text-xs text-muted">{strings.thread.quoteDeleted}</p>
      <blockquote className={`${look} line-through`}>{quote}</blockquote>
    </div>
  )
}

interface ResolvedProps {
  readonly thread: Thread
  readonly personOf: (author: Author) => ShownPerson
}

const Resolved = ({ thread: { resolved }, personOf }: ResolvedProps) =>
  resolved && (
    <p className="mt-2 flex items-center gap-1.5 text-xs text-muted">
      <Check size={14} aria-hidden className="text-good" />
      <span>
        <Sentence
          parts={strings.thread.resolved(
            personOf(resolved.by).name,
            <RelativeTime at={new Date(resolved.at).toISOString()} />,
          )}
        />
      </span>
    </p>
  )

interface ActionsProps {
  readonly resolved: boolean
  readonly onReply: () => void
  readonly onResolve: () => void
}

const Actions = ({ resolved, onReply, onResolve }: ActionsProps) => (
  <div className="mt-1.5 -mb-1 -ml-2 flex gap-1">
    <Button look="quiet" shape="small" onClick={onReply}>
      <CornerDownRight size={14} aria-hidden /> {strings.thread.reply}
    </Button>
    <Button look="quiet" shape="small" onClick={onResolve}>
      {resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
      {resolved ? strings.thread.reopen : strings.thread.resolve}
    </Button>
  </div>
)
