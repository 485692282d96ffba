'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type * as Y from 'yjs'
import { deleteMessage, editMessage } from '@/lib/comments/edit.ts'
import type { Author, Message } from '@/lib/comments/thread.ts'
import { isLinkCaller, plainName } from '@/lib/protocol/link-caller.ts'
import type { ShownPerson } from '@/components/editor/present-people'
import { RelativeTime } from '@/components/ui/relative-time'
import { Sentence } from '@/components/ui/sentence'
import { toast } from '@/components/ui/toast'
import { usePopup } from '@/components/ui/use-popup'
import { Composer } from './composer'
import type { MessageActions, MessageChoicesProps } from './message-choices'
import { strings as nameStrings } from '@/lib/strings/names.ts'
import { strings } from '@/lib/strings/comments.ts'
import { strings as panelStrings } from '@/lib/strings/panels.ts'

interface MessageItemProps {
  readonly doc: Y.Doc
  readonly thread: string
  readonly message: Message
  readonly writer: Author | null
  readonly personOf: (author: Author) => ShownPerson
}

export function MessageItem({ doc, thread, message, writer, personOf }: MessageItemProps) {
  const [editing, setEditing] = useState(false)
  const { author, at, text, editedAt } = message
  const { name, colour } = personOf(author)
  const time = <RelativeTime at={new Date(at).toISOString()} />
  const change = (changed: string) => {
    editMessage(doc, thread, message.id, changed)
    setEditing(false)
  }
  return (
    <li>
      <div className="flex min-h-6 items-center gap-1.5 text-xs">
        <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
        <AuthorName author={author} name={name} />
        <span className="shrink-0 text-muted">
          <Sentence parts={editedAt === undefined ? [time] : strings.message.changed(time)} />
        </span>
        <span className="flex-1" />
        {writer?.id === author.id && !editing && (
          <MessageMenu onEdit={() => setEditing(true)} onDelete={() => remove(doc, thread, message.id)} />
        )}
      </div>
      {editing ? (
        <Composer
          label={strings.message.own}
          send={strings.message.change}
          initial={text}
          onSend={change}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p dir="auto" className="break-words whitespace-pre-wrap">
          {text}
        </p>
      )}
    </li>
  )
}

/** The mark stays where a long name is cut short. */
const AuthorName = ({ author, name }: { author: Author; name: string }) => (
  <>
    <span className="truncate font-medium">{isLinkCaller(author.id) ? plainName(author.name) : name}</span>
    {isLinkCaller(author.id) && (
      <span className="shrink-0 text-muted" title={nameStrings.byLink.hint}>
        {strings.message.byLink}
      </span>
    )}
  </>
)

function remove(doc: Y.Doc, thread: string, message: string): void {
  const undo = deleteMessage(doc, thread, message)
  if (undo) toast(strings.message.deleted, { action: { label: panelStrings.undo, onClick: undo } })
}

const load = () => import('./message-choices')

function MessageMenu(choices: MessageActions) {
  const { trigger, Popup, popup } = usePopup<MessageChoicesProps>('menu', load)
  return (
    <>
      <button
        {...trigger}
        aria-label={strings.message.own}
        className="grid size-6 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink aria-expanded:bg-sunk"
      >
        <Ellipsis size={15} aria-hidden />
      </button>
      {Popup && <Popup {...choices} {...popup} />}
    </>
  )
}
