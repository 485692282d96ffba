'use client'

import { Check, CornerDownRight, RotateCcw } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import type * as Y from 'yjs'
import { replyToThread } from '@/lib/comments/edit-threads.ts'
import type { LocatedThread } from '@/lib/comments/located-threads.ts'
import type { CommentAuthor, Thread } from '@/lib/comments/stored-thread.ts'
import type { PersonAppearance } from '@/components/profile/person-appearances.ts'
import { Button } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { CommentComposer } from '@/components/editor/menus/composer.tsx'
import { MessageItem } from './message-item.tsx'
import { commentsStrings } from '@/lib/strings/comments.ts'

interface ThreadCardProps {
  readonly doc: Y.Doc
  readonly located: LocatedThread
  readonly active: boolean
  readonly writer: CommentAuthor | null
  readonly personOf: (author: CommentAuthor) => PersonAppearance
  readonly onSelect: (located: LocatedThread) => void
  readonly onResolve: (located: LocatedThread) => void
}

export const ThreadCard = memo(function ThreadCard(props: ThreadCardProps) {
  const { doc, located, active, writer, personOf, onSelect, onResolve } = props
  const { thread } = located
  const card = useRef<HTMLElement>(null)
  const [replying, setReplying] = useState(false)
  useEffect(() => {
    if (active) card.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const closeComposer = () => {
    setReplying(false)
    card.current?.focus({ preventScroll: true })
  }
  const send = (author: CommentAuthor, text: string) => {
    replyToThread(doc, thread.id, author, text)
    closeComposer()
  }
  return (
    <article
      ref={card}
      id={`thread-${thread.id}`}
      tabIndex={-1}
      aria-label={commentsStrings.thread.label(shortQuote(thread, 60))}
      aria-current={active || undefined}
      className="scroll-my-12 rounded-xl border border-line bg-raised p-3 text-sm aria-current:border-accent aria-current:shadow-float"
    >
      <ThreadQuote located={located} onSelect={onSelect} />
      {thread.firstDeleted && (
        <p className="mt-2 text-xs text-muted">{commentsStrings.thread.firstDeleted}</p>
      )}
      <ul aria-label={commentsStrings.thread.messages} className="mt-2 flex flex-col gap-2.5">
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
      <ResolvedNote thread={thread} personOf={personOf} />
      {writer && replying && (
        <CommentComposer
          label={commentsStrings.thread.reply}
          sendLabel={commentsStrings.thread.reply}
          onSend={(text) => send(writer, text)}
          onCancel={closeComposer}
        />
      )}
      {writer && !replying && (
        <ThreadActions
          isResolved={thread.resolved !== undefined}
          onReply={() => setReplying(true)}
          onResolve={() => onResolve(located)}
        />
      )}
    </article>
  )
})

/** A mention or a formula has no letters in a quote. */
const shortQuote = ({ anchor }: Thread, length: number): string =>
  shorten(anchor.quote.replaceAll('\uFFFC', '…'), length)

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`

/** The quoted text as it was when commented on. A click goes to where it is now. */
function ThreadQuote({
  located,
  onSelect,
}: {
  located: LocatedThread
  onSelect: (located: LocatedThread) => void
}) {
  const quote = shortQuote(located.thread, 160)
  const quoteClass = 'line-clamp-2 border-s-2 border-wait ps-2 text-start font-serif text-muted'
  if (located.range)
    return (
      <button
        type="button"
        title={commentsStrings.thread.goTo}
        onClick={() => onSelect(located)}
        className={`${quoteClass} min-h-6 hover:text-ink`}
      >
        {quote}
      </button>
    )
  return (
    <div>
      <p className="mb-1 text-xs text-muted">{commentsStrings.thread.quoteDeleted}</p>
      <blockquote className={`${quoteClass} line-through`}>{quote}</blockquote>
    </div>
  )
}

interface ResolvedNoteProps {
  readonly thread: Thread
  readonly personOf: (author: CommentAuthor) => PersonAppearance
}

const ResolvedNote = ({ thread: { resolved }, personOf }: ResolvedNoteProps) =>
  resolved && (
    <p className="mt-2 flex items-center gap-1.5 text-xs text-muted">
      <Check size={14} aria-hidden className="text-good" />
      <span>
        <Sentence
          parts={commentsStrings.thread.resolved(
            personOf(resolved.by).name,
            <RelativeTime at={new Date(resolved.at).toISOString()} />,
          )}
        />
      </span>
    </p>
  )

interface ThreadActionsProps {
  readonly isResolved: boolean
  readonly onReply: () => void
  readonly onResolve: () => void
}

const ThreadActions = ({ isResolved, onReply, onResolve }: ThreadActionsProps) => (
  <div className="mt-1.5 -mb-1 -ml-2 flex gap-1">
    <Button look="quiet" shape="small" onClick={onReply}>
      <CornerDownRight size={14} aria-hidden /> {commentsStrings.thread.reply}
    </Button>
    <Button look="quiet" shape="small" onClick={onResolve}>
      {isResolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
      {isResolved ? commentsStrings.thread.reopen : commentsStrings.thread.resolve}
    </Button>
  </div>
)
