'use client'

import { useState, useSyncExternalStore, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { CommentAuthor } from '@/lib/comments/stored-thread.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import { unknownUserId } from '@/components/profile/own-presence-user.ts'
import type { PanelProps } from '../panel-props.ts'
import { usePanelCommand } from '../use-panel-command.ts'
import { ThreadBar } from './thread-bar.tsx'
import { filterShowing, type ThreadFilter } from './thread-filter.ts'
import { ThreadList } from './thread-list.tsx'
import { useCommentsSeen } from './use-new-comments.ts'
import { useActiveThread, useGoToThread, useLocatedThreads } from './use-threads.ts'
import { commentsStrings } from '@/lib/strings/comments.ts'
import { refusalsStrings } from '@/lib/strings/refusals.ts'

export default function CommentsPanel(props: PanelProps) {
  const { opened, role, status, user } = props
  useCommentsSeen(props)
  const { status: commentsStatus } = opened.comments
  const state = useSyncExternalStore(commentsStatus.subscribe, commentsStatus.get)
  if (state.state === 'refused')
    return state.reason.code === 'forbidden' ? (
      <PanelNote>
        {role === 'owner' ? commentsStrings.documentDeleted : refusalsStrings.accessLost.title}
      </PanelNote>
    ) : (
      <PanelNote title={commentsStrings.refused}>{describeClose(state.reason)}</PanelNote>
    )
  if (state.state === 'loading') return <PanelNote>{commentsStrings.loading}</PanelNote>
  return (
    <Comments
      opened={opened}
      writer={canWrite({ role, status }) && user.id !== unknownUserId ? user : null}
    />
  )
}

interface CommentsProps {
  readonly opened: OpenDocument
  /** Null if this person may only read. */
  readonly writer: CommentAuthor | null
}

function Comments({ opened, writer }: CommentsProps) {
  const allThreads = useLocatedThreads(opened)
  const [active, setActive] = useActiveThread(opened)
  const [filter, setFilter] = useState<ThreadFilter>('open')
  const threads = allThreads.filter(({ thread }) => filterShowing(thread) === filter)
  const goToThread = useGoToThread(opened)
  usePanelCommand('comments', ({ thread: id }) => {
    setFilter(filterShowing(allThreads.find(({ thread }) => thread.id === id)?.thread))
    setActive(id)
  })
  if (allThreads.length === 0) return <NoComments isWriter={writer !== null} />
  return (
    <>
      <ThreadBar
        allThreads={allThreads}
        threads={threads}
        active={active}
        filter={filter}
        onFilter={setFilter}
        onSelect={goToThread}
      />
      {threads.length === 0 && (
        <PanelNote>{filter === 'open' ? commentsStrings.noneOpen : commentsStrings.noneResolved}</PanelNote>
      )}
      <ThreadList opened={opened} threads={threads} active={active} writer={writer} onSelect={goToThread} />
      {writer === null && <PanelNote>{commentsStrings.viewOnly}</PanelNote>}
    </>
  )
}

const NoComments = ({ isWriter }: { isWriter: boolean }) => (
  <PanelNote title={commentsStrings.empty.title}>
    {isWriter ? commentsStrings.empty.hint : commentsStrings.empty.viewOnly}
  </PanelNote>
)

function PanelNote({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className="p-4 text-sm text-muted">
      {title && <p className="font-medium text-ink">{title}</p>}
      <p className="text-pretty">{children}</p>
    </div>
  )
}
