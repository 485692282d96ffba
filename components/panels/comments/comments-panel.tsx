'use client'

import { useState, useSyncExternalStore, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Author } from '@/lib/comments/thread.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { mayWrite } from '@/components/opening/may-write'
import { unknownUser } from '@/components/opening/present-user'
import type { PanelProps } from '../panel'
import { useWish } from '../use-wish'
import { ThreadBar, type Shown } from './thread-bar'
import { ThreadList } from './thread-list'
import { useActiveThread, useLook, usePlaced } from './use-threads'
import { strings } from '@/lib/strings/comments.ts'
import { strings as refusals } from '@/lib/strings/refusals.ts'

const { accessLost } = refusals

export default function CommentsPanel({ opened, role, status, user }: PanelProps) {
  const { status: part } = opened.comments
  const state = useSyncExternalStore(part.subscribe, part.get)
  if (state.state === 'refused')
    return state.reason.code === 'forbidden' ? (
      <Note>{accessLost.title}</Note>
    ) : (
      <Note title={strings.refused}>{describeClose(state.reason)}</Note>
    )
  if (state.state === 'loading') return <Note>{strings.loading}</Note>
  return (
    <Comments opened={opened} writer={mayWrite({ role, status }) && user.id !== unknownUser ? user : null} />
  )
}

interface CommentsProps {
  readonly opened: OpenDocument
  /** Null where this person may only read. */
  readonly writer: Author | null
}

function Comments({ opened, writer }: CommentsProps) {
  const all = usePlaced(opened)
  const [active, setActive] = useActiveThread(opened)
  const [shown, setShown] = useState<Shown>('open')
  const threads = all.filter(({ thread }) => (shown === 'resolved') === (thread.resolved !== undefined))
  const look = useLook(opened)
  useWish('comments', ({ thread: id }) => {
    const wanted = all.find(({ thread }) => thread.id === id)
    if (wanted) setShown(wanted.thread.resolved ? 'resolved' : 'open')
    setActive(id)
  })
  if (all.length === 0) return <NoComments isWriter={writer !== null} />
  return (
    <>
      <ThreadBar all={all} threads={threads} active={active} shown={shown} onShow={setShown} onLook={look} />
      {threads.length === 0 && <Note>{shown === 'open' ? strings.noneOpen : strings.noneResolved}</Note>}
      <ThreadList opened={opened} threads={threads} active={active} writer={writer} onLook={look} />
      {writer === null && <Note>{strings.viewOnly}</Note>}
    </>
  )
}

const NoComments = ({ isWriter }: { isWriter: boolean }) => (
  <Note title={strings.empty.title}>{isWriter ? strings.empty.hint : strings.empty.viewOnly}</Note>
)

function Note({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="p-4 text-sm text-muted">
      {title && <p className="font-medium text-ink">{title}</p>}
      <p className="text-pretty">{children}</p>
    </div>
  )
}
