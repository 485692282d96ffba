'use client'

import { useEffect, type ReactNode } from 'react'
import type { WindowKind, WindowState } from '@/lib/windows/window-state.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus, TransportChoice } from '@/lib/sync/status.ts'
import { unknownUserId, type OwnPresenceUser } from '@/components/profile/own-presence-user.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { BlockedWindowNotice } from './blocked-window-notice.tsx'
import { ownPage, usePageState } from './own-page.ts'
import { WindowCommands } from './window-commands.tsx'

const loadOfferCard = () => import('./open-offer-card.tsx')

interface ShownDocument {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly user: OwnPresenceUser
}

interface RegisteredWindowProps {
  readonly kind: WindowKind
  readonly document: ShownDocument
  readonly children: ReactNode
}

/** Registers this page as one of the person's windows once it shows a document. */
export function RegisteredWindow({ kind, document, children }: RegisteredWindowProps) {
  useOwnWindowState(kind, document)
  const offer = usePageState(({ offers }) => offers[0])
  return (
    <>
      {children}
      <BlockedWindowNotice />
      {offer && <LazyComponent load={loadOfferCard} props={{ offer }} />}
      <WindowCommands />
    </>
  )
}

/** Publishes this window's state to the others. */
function useOwnWindowState(kind: WindowKind, { id, opened, status, user }: ShownDocument): void {
  const { registry, onContentShown } = ownPage()
  useEffect(() => {
    registry.updateOwn({ kind, document: id })
    onContentShown()
    return () => registry.updateOwn({ kind: 'documents', document: null, title: '', link: undefined })
  }, [registry, onContentShown, kind, id])
  useEffect(() => {
    if (user.id !== unknownUserId) registry.joinBrowser(user.id)
  }, [registry, user.id])
  useEffect(() => {
    const { desk } = opened
    return desk ? registry.joinDesk(desk.awareness) : undefined
  }, [registry, opened])
  useOwnWindowTitle(opened)
  useOwnWindowLink(opened, status)
  const { simulated } = status
  useEffect(() => registry.updateOwn({ simulated }), [registry, simulated])
}

/** In ms. A title is typed letter by letter, and other windows need not receive each of them. */
const TITLE_DELAY_MS = 300

function useOwnWindowTitle({ doc }: OpenDocument): void {
  useEffect(() => {
    const title = doc.getText('title')
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => ownPage().registry.updateOwn({ title: shownTitle(title.toJSON()) })
    const onChange = () => {
      clearTimeout(timer)
      timer = setTimeout(update, TITLE_DELAY_MS)
    }
    update()
    title.observe(onChange)
    return () => {
      clearTimeout(timer)
      title.unobserve(onChange)
    }
  }, [doc])
}

/** In ms. A round trip changes with each message, and is only seen in a list. */
const ROUND_TRIP_INTERVAL_MS = 10_000

function useOwnWindowLink(opened: OpenDocument, { link, choice }: StableSyncStatus): void {
  useEffect(() => {
    const update = () => {
      const { transport, stats } = opened
      const roundTrip = link.state === 'up' ? stats().roundTripMs : undefined
      ownPage().registry.updateOwn({
        link: link.state === 'up' && transport ? linkStateOf(transport, choice, roundTrip) : undefined,
      })
    }
    update()
    const timer = setInterval(update, ROUND_TRIP_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [opened, link, choice])
}

const linkStateOf = (
  { transport, protocol }: LinkInfo,
  choice: TransportChoice,
  roundTripMs: number | undefined,
): WindowState['link'] => ({
  transport,
  choice,
  ...(protocol && { protocol }),
  ...(roundTripMs !== undefined && { roundTripMs: Math.round(roundTripMs) }),
})
