'use client'

import { useState } from 'react'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'
import { Opening, type Opened } from '@/components/opening/opened'
import { FollowingProvider } from '@/components/following/following-provider'
import { PageTitle } from '@/components/opening/page-title'
import { useDocumentCommands } from '@/components/opening/use-document-commands'
import { addressOf } from '@/components/opening/shell'
import { Announcer } from '@/components/editor/announcer'
import { LinkBanner } from '@/components/editor/link-banner'
import { GRACE_MS, useLasting } from '@/components/editor/timing'
import { useUndo } from '@/components/undo/use-undo'
import { PanelBody } from './panel-body'
import { PanelHeader } from './panel-header'
import { panels } from './registry'
import { UnknownPanel } from './unknown-panel'
import { strings } from '@/lib/strings/panels.ts'

/** A panel in a window of its own. */
export default function PanelPage(given: { document: string; panel: string }) {
  const [{ document, panel }] = useState(() => addressOf(given))
  if (!isPanelId(panel)) return <UnknownPanel document={document} />
  return <Opening id={document} kind={panel} Content={contents[panel]} />
}

const contentOf = (panel: PanelId) =>
  function PanelContent(opened: Opened) {
    return <OpenedPanel panel={panel} {...opened} />
  }

const contents = Object.fromEntries(
  (Object.keys(panels) as PanelId[]).map((panel) => [panel, contentOf(panel)]),
) as Record<PanelId, ReturnType<typeof contentOf>>

function OpenedPanel({ panel, ...document }: Opened & { panel: PanelId }) {
  const { id, opened, status, user } = document
  const { name } = panels[panel]
  const cutOff = useLasting(status.link.state !== 'up', GRACE_MS)
  useDocumentCommands(document, panel)
  // A second editor shows what is undone in it, as the first does.
  useUndo(opened, panel === 'editor' ? '' : name)
  return (
    <FollowingProvider document={id} opened={opened} user={user} kind={panel}>
      <a href="#panel" className="skip-link">
        {strings.ownWindow.skip}
      </a>
      <PanelHeader panel={panel} cutOff={cutOff} {...document} />
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
        <LinkBanner opened={opened} status={status} cutOff={cutOff} />
        <Announcer opened={opened} status={status} cutOff={cutOff} />
      </main>
    </FollowingProvider>
  )
}
