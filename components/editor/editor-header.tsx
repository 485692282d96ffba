'use client'

import type { Editor } from '@tiptap/react'
import Link from 'next/link'
import { useRef } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/api'
import { ConnectionButton } from '@/components/connection/connection-button'
import { ChipRow } from '@/components/dock/chip-row'
import { PanelsMenu } from '@/components/dock/panels-menu'
import { ShareButton } from '@/components/share/share-button'
import { FollowButton } from '@/components/following/follow-button'
import { LatencyButton } from '@/components/latency/latency-button'
import { Hint } from '@/components/ui/hint'
import { Logo } from '@/components/ui/logo'
import { ThemeMenu } from '@/components/ui/theme-menu'
import { useSize } from '@/components/ui/use-size'
import { WindowsButton } from '@/components/windows/windows-button'
import { PeopleGroup, usePeople } from './people-group'
import { SaveStateLabel } from './save-state-label'
import { Toolbar } from './toolbar'

interface EditorHeaderProps {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: SteadyStatus
  readonly role: Role
  /** No link for longer than the grace. */
  readonly cutOff: boolean
  /** Null for whoever may only read. */
  readonly editor: Editor | null
  readonly onLink: () => void
  readonly onComment: () => void
}

export function EditorHeader({ id, opened, status, role, cutOff, editor, ...rest }: EditorHeaderProps) {
  const people = usePeople(opened)
  const header = useRef<HTMLElement>(null)
  useSize(header, 'offsetHeight', '--header-height')
  return (
    <header ref={header} className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="flex h-[3.25rem] items-center gap-1 px-2 sm:gap-1.5 sm:px-3" data-pane="bar">
        <Hint text="All documents">
          <Link
            href="/"
            prefetch
            aria-label="All documents"
            className="grid size-9 shrink-0 place-items-center rounded-lg hover:bg-sunk"
          >
            <Logo />
          </Link>
        </Hint>
        <SaveStateLabel opened={opened} cutOff={cutOff} />
        <span className="flex-1" />
        <span className="max-[479px]:hidden">
          <PeopleGroup people={people} />
        </span>
        <PanelsMenu />
        {/* A phone has it in the list of windows. */}
        <span className="max-sm:hidden">
          <FollowButton />
        </span>
        <WindowsButton document={id} role={role} />
        <ConnectionButton opened={opened} status={status} />
        <LatencyButton />
        <ShareButton document={id} role={role} />
        <span className="max-sm:hidden">
          <ThemeMenu />
        </span>
      </div>
      <div className="border-t border-line/70">
        {editor ? (
          <Toolbar editor={editor} onLink={rest.onLink} onComment={rest.onComment} />
        ) : (
          <ReadingNote closed={status.document.state === 'refused'} />
        )}
      </div>
      <ChipRow />
    </header>
  )
}

const ReadingNote = ({ closed }: { closed: boolean }) => (
  <p className="px-4 py-2.5 text-center text-sm text-muted">
    {closed ? 'This is the last text that reached this window.' : 'View only'}
  </p>
)
