'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type * as Y from 'yjs'
import { deleteMessage, editMessage } from '@/lib/comments/edit-threads.ts'
import type { CommentAuthor, CommentMessage } from '@/lib/comments/stored-thread.ts'
import { isLinkCaller, plainName } from '@/lib/protocol/link-caller.ts'
import type { PersonAppearance } from '@/components/profile/person-appearances.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { toast } from '@/components/ui/toast.ts'
import { usePopup } from '@/components/ui/use-popup.ts'
import { CommentComposer } from '@/components/editor/menus/composer.tsx'
import type { MessageActions, MessageMenuPopupProps } from './message-menu-popup.tsx'
import { namesStrings } from '@/lib/strings/names.ts'
import { commentsStrings } from '@/lib/strings/comments.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

interface MessageItemProps {
  readonly doc: Y.Doc
  readonly thread: string
  readonly message: CommentMessage
  readonly writer: CommentAuthor | null
  readonly personOf: (author: CommentAuthor) => PersonAppearance
}

export function MessageItem({ doc, thread, message, writer, personOf }: MessageItemProps) {
  const [editing, setEditing] = useState(false)
  const { author, at, text, editedAt } = message
  const { name, colour } = personOf(author)
  const time = <RelativeTime at={new Date(at).toISOString()} />
  const saveText = (newText: string) => {
    editMessage(doc, thread, message.id, newText)
    setEditing(false)
  }
  return (
    <li>
      <div className="flex min-h-6 items-center gap-1.5 text-xs">
        <span aria-hidden className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
        <AuthorName author={author} name={name} />
        <span className="shrink-0 text-muted">
          <Sentence parts={editedAt === undefined ? [time] : commentsStrings.message.changed(time)} />
        </span>
        <span className="flex-1" />
        {writer?.id === author.id && !editing && (
          <MessageMenu
            onEdit={() => setEditing(true)}
            onDelete={() => removeMessage(doc, thread, message.id)}
          />
        )}
      </div>
      {editing ? (
        <CommentComposer
          label={commentsStrings.message.own}
          sendLabel={commentsStrings.message.change}
          initial={text}
          onSend={saveText}
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

/** The mark stays visible when a long name is cut off. */
const AuthorName = ({ author, name }: { author: CommentAuthor; name: string }) => (
  <>
    <span className="truncate font-medium">{isLinkCaller(author.id) ? plainName(author.name) : name}</span>
    {isLinkCaller(author.id) && (
      <span className="shrink-0 text-muted" title={namesStrings.byLink.hint}>
        {commentsStrings.message.byLink}
      </span>
    )}
  </>
)

function removeMessage(doc: Y.Doc, thread: string, message: string): void {
  const undo = deleteMessage(doc, thread, message)
  if (undo)
    toast(commentsStrings.message.deleted, { action: { label: panelFramesStrings.undo, onClick: undo } })
}

const loadMenu = () => import('./message-menu-popup.tsx')

function MessageMenu(actions: MessageActions) {
  const { trigger, Popup, popup } = usePopup<MessageMenuPopupProps>('menu', loadMenu)
  return (
    <>
      <button
        {...trigger}
        aria-label={commentsStrings.message.own}
        className="grid size-6 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink aria-expanded:bg-sunk"
      >
        <Ellipsis size={15} aria-hidden />
      </button>
      {Popup && <Popup {...actions} {...popup} />}
    </>
  )
}
