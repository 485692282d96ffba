'use client'

import { useRef } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { ConnectionButton } from '@/components/connection/connection-button.tsx'
import { PeopleGroup, usePeople } from '@/components/following/people-group.tsx'
import { SaveStateLabel } from '@/components/editor/save-state/save-state-label.tsx'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import { FollowBanner } from '@/components/following/follow-banner.tsx'
import { LatencyButton } from '@/components/latency/latency-button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { Logo } from '@/components/ui/logo.tsx'
import { useSizeProperty } from '@/components/ui/use-size-property.ts'
import { WindowsMenu } from '@/components/windows-menu/windows-menu.tsx'
import { panels } from '@/components/panels/panel-registry.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

interface PanelHeaderProps extends OpenedDocumentProps {
  readonly panel: PanelId
  readonly isDisconnected: boolean
}

/** The header of a panel in a window of its own, one line high. */
export function PanelHeader({ panel, id, opened, status, role, isDisconnected }: PanelHeaderProps) {
  const people = usePeople(opened)
  const header = useRef<HTMLElement>(null)
  useSizeProperty(header, 'offsetHeight', '--header-height')
  const { name, Icon } = panels[panel]
  const title = shownTitle(useYText(opened.doc.getText('title')))
  return (
    <header ref={header} className="sticky top-0 z-20 shrink-0 border-b border-line bg-paper">
      <div data-pane="bar" className="flex h-[3.25rem] items-center gap-1 px-2 sm:gap-1.5 sm:px-3">
        {/* No `Link`, because the document's page has an opener policy of its own. */}
        <Hint text={panelFramesStrings.ownWindow.openDocument}>
          <a
            href={`/d/${id}`}
            aria-label={panelFramesStrings.ownWindow.document}
            className="grid size-9 shrink-0 place-items-center rounded-lg hover:bg-sunk"
          >
            <Logo />
          </a>
        </Hint>
        <div className="flex min-w-0 flex-1 flex-col justify-center">
          <span aria-hidden className="flex min-w-0 items-center gap-1.5 text-sm leading-4 font-medium">
            <Icon size={15} className="shrink-0 text-muted" />
            <span className="truncate md:shrink-0">{name}</span>
            <span className="truncate font-normal text-muted max-md:hidden">{title}</span>
          </span>
          <SaveStateLabel opened={opened} isDisconnected={isDisconnected} />
        </div>
        <PeopleGroup people={people} />
        <WindowsMenu document={id} role={role} />
        <ConnectionButton opened={opened} status={status} />
        {panel !== 'connection' && <LatencyButton />}
      </div>
      <FollowBanner opened={opened} />
    </header>
  )
}
