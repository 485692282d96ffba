'use client'

import { useState } from 'react'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'
import { DocumentOpening } from './document-opening.tsx'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { FollowingProvider } from '@/components/following/following-provider.tsx'
import { PageTitle } from '@/components/opening/page-title.tsx'
import { useDocumentCommands } from './use-document-commands.ts'
import { resolveAddress } from '@/components/opening/shell-address.ts'
import { Announcer } from '@/components/editor/save-state/announcer.tsx'
import { ConnectionBanner } from '@/components/editor/save-state/connection-banner.tsx'
import { useHasLasted } from '@/components/ui/use-has-lasted.ts'
import { useUndo } from '@/components/undo/use-undo.ts'
import { PanelBody } from '@/components/panels/panel-body.tsx'
import { PanelHeader } from './panel-header.tsx'
import { panels } from '@/components/panels/panel-registry.ts'
import { UnknownPanel } from '@/components/panels/unknown-panel.tsx'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

/** A panel in a window of its own. */
export default function PanelPage(routeParams: { document: string; panel: string }) {
  const [{ document, panel }] = useState(() => resolveAddress(routeParams))
  if (!isPanelId(panel)) return <UnknownPanel document={document} />
  return <DocumentOpening id={document} kind={panel} Content={panelContents[panel]} />
}

const createPanelContent = (panel: PanelId) =>
  function PanelContent(opened: OpenedDocumentProps) {
    return <OpenedPanel panel={panel} {...opened} />
  }

const panelContents = Object.fromEntries(
  (Object.keys(panels) as PanelId[]).map((panel) => [panel, createPanelContent(panel)]),
) as Record<PanelId, ReturnType<typeof createPanelContent>>

function OpenedPanel({ panel, ...document }: OpenedDocumentProps & { panel: PanelId }) {
  const { id, opened, status, user } = document
  const { name } = panels[panel]
  const isDisconnected = useHasLasted(status.link.state !== 'up')
  useDocumentCommands(document, panel)
  // A second editor shows what is undone in it, just as the first does.
  useUndo(opened, panel === 'editor' ? '' : name)
  return (
    <FollowingProvider document={id} opened={opened} user={user} kind={panel}>
      <a href="#panel" className="skip-link">
        {panelFramesStrings.ownWindow.skip}
      </a>
      <PanelHeader panel={panel} isDisconnected={isDisconnected} {...document} />
      <main className="flex min-h-0 flex-1 flex-col">
        <PageTitle title={opened.doc.getText('title')} panel={name} />
        <section
          id="panel"
          data-pane="panel"
          aria-label={name}
          tabIndex={-1}
          className="relative flex min-h-0 flex-1 flex-col outline-none"
        >
          <PanelBody panel={panel} docked={false} {...document} />
        </section>
        <ConnectionBanner {...document} isDisconnected={isDisconnected} />
        <Announcer opened={opened} status={status} isDisconnected={isDisconnected} />
      </main>
    </FollowingProvider>
  )
}
