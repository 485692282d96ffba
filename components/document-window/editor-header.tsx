'use client'

import type { Editor } from '@tiptap/react'
import { Eye } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { THREADS } from '@/lib/protocol/comments.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'
import { ConnectionButton } from '@/components/connection/connection-button.tsx'
import { DetachedChipRow } from '@/components/dock/detached-chip-row.tsx'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useHasEntries } from '@/components/opening/use-has-entries.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import { ShareButton } from '@/components/share/share-button.tsx'
import { FollowBanner } from '@/components/following/follow-banner.tsx'
import { LatencyButton } from '@/components/latency/latency-button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { Logo } from '@/components/ui/logo.tsx'
import { NearLink } from '@/components/ui/near-link.tsx'
import { useSizeProperty } from '@/components/ui/use-size-property.ts'
import { WindowsMenu } from '@/components/windows-menu/windows-menu.tsx'
import { PeopleGroup, usePeople } from '@/components/following/people-group.tsx'
import { SaveStateLabel } from '@/components/editor/save-state/save-state-label.tsx'
import { EditorToolbar } from '@/components/editor/menus/editor-toolbar.tsx'
import { DocumentOptions } from './document-options.tsx'
import { useProposalFacts } from '@/components/proposals/use-proposal-facts.ts'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { useScrolledAway } from '@/components/editor/use-scrolled-away.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadProposalsSign = loadInBackground(() => import('./proposals-sign.tsx'))
const loadProposalBar = loadInBackground(() => import('./proposal-bar.tsx'))
const loadCommentsSign = loadInBackground(() => import('./comments-sign.tsx'))

interface EditorHeaderProps {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly role: Role
  /** The title above the text. Once it has scrolled away, the header shows it. */
  readonly titleField: RefObject<HTMLElement | null>
  /** There has been no link for longer than the grace period. */
  readonly isDisconnected: boolean
  /** Null for people who may only read. */
  readonly editor: Editor | null
  readonly onLink: () => void
  readonly onComment: () => void
}

/** The header is ordered by what a writer needs: title, save state, people, then windows, connection and sharing. */
export function EditorHeader({
  id,
  opened,
  status,
  role,
  titleField,
  isDisconnected,
  editor,
  ...actions
}: EditorHeaderProps) {
  const people = usePeople(opened)
  const header = useRef<HTMLElement>(null)
  useSizeProperty(header, 'offsetHeight', '--header-height')
  const isTitleHidden = useScrolledAway(titleField, header)
  const isRefused = status.document.state === 'refused'
  // The text loads first; comments are requested once it is there.
  const isSynced = status.document.state === 'synced'
  const proposals = useProposalFacts(id, opened, isSynced)
  const hasComments = useHasEntries(isSynced ? opened.comments.doc.getMap(THREADS) : undefined)
  return (
    <header ref={header} className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="flex h-[3.25rem] items-center gap-1 px-2 sm:gap-1.5 sm:px-3" data-pane="bar">
        <Hint text={editorStrings.header.allDocuments}>
          <NearLink
            href="/"
            aria-label={editorStrings.header.allDocuments}
            className="grid size-9 shrink-0 place-items-center rounded-lg hover:bg-sunk"
          >
            <Logo />
          </NearLink>
        </Hint>
        <div className="flex min-w-0 flex-1 flex-col justify-center">
          {isTitleHidden && <HeaderTitle opened={opened} />}
          <SaveStateLabel opened={opened} isDisconnected={isDisconnected} />
        </div>
        {editor === null && !isRefused && <ViewOnlyBadge />}
        {!isRefused && <PeopleGroup people={people} />}
        <LazyOnDemand load={loadCommentsSign} isWanted={hasComments} props={{}} />
        <LazyOnDemand
          load={loadProposalsSign}
          isWanted={proposals.hasOpen}
          props={{ sawNone: proposals.sawNone }}
        />
        <WindowsMenu document={id} role={role} />
        <ConnectionButton opened={opened} status={status} />
        <LatencyButton />
        {role === 'owner' && !isRefused && <ShareButton document={id} />}
        {!isRefused && (
          <HeaderOptions
            id={id}
            opened={opened}
            role={role}
            isProposal={proposals.isProposal}
            onRename={editor && (() => rename(titleField))}
          />
        )}
      </div>
      {editor ? (
        <div className="keyboard-bar border-t border-line/70 xl:pr-(--dock-right) xl:pl-(--dock-left)">
          <EditorToolbar editor={editor} onLink={actions.onLink} onComment={actions.onComment} />
        </div>
      ) : (
        isRefused && <LastTextNotice />
      )}
      <LazyOnDemand load={loadProposalBar} isWanted={proposals.hasBar} props={{}} />
      <FollowBanner opened={opened} />
      <DetachedChipRow />
    </header>
  )
}

function rename({ current }: EditorHeaderProps['titleField']): void {
  current?.scrollIntoView({ block: 'center' })
  current?.focus({ preventScroll: true })
  if (current instanceof HTMLTextAreaElement) current.select()
}

type HeaderOptionsProps = Pick<EditorHeaderProps, 'id' | 'opened' | 'role'> & {
  readonly isProposal: boolean
  readonly onRename: (() => void) | null
}

function HeaderOptions({ id, opened, role, isProposal, onRename }: HeaderOptionsProps) {
  const title = useYText(opened.doc.getText('title'))
  return (
    <DocumentOptions
      document={id}
      opened={opened}
      title={title}
      isOwner={role === 'owner'}
      isProposal={isProposal}
      onRename={onRename}
    />
  )
}

/** Only visual: the page's heading says the title to screen readers. */
function HeaderTitle({ opened }: Pick<EditorHeaderProps, 'opened'>) {
  const title = shownTitle(useYText(opened.doc.getText('title')))
  return (
    <span aria-hidden className="truncate text-sm leading-4 font-medium max-[359px]:hidden">
      {title}
    </span>
  )
}

const ViewOnlyBadge = () => (
  <Hint text={editorStrings.header.viewOnlyHint}>
    <span className="flex shrink-0 items-center gap-1.5 rounded-full bg-sunk px-2.5 py-1 text-xs font-medium whitespace-nowrap">
      <Eye size={14} aria-hidden className="max-sm:hidden" />
      {editorStrings.header.viewOnly}
    </span>
  </Hint>
)

const LastTextNotice = () => (
  <p className="border-t border-line/70 px-4 py-2.5 text-center text-sm text-muted">
    {editorStrings.header.lastText}
  </p>
)
