'use client'

import type { ComponentType } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose, type CloseReason } from '@/lib/protocol/close.ts'
import { useTransportScope } from '@/components/connection/remembered-transport.ts'
import { useRequestedSimulation } from '@/components/connection/use-requested-simulation.ts'
import { useRequestedTransport } from '@/components/connection/use-requested-transport.ts'
import { useRememberedConnection } from '@/components/connection/use-remembered-connection.ts'
import { allowAnyTransport, waitingSentence } from '@/components/connection/pinned-transport.ts'
import { useHasLasted } from '@/components/ui/use-has-lasted.ts'
import { useDocument, useStableStatus } from '@/components/opening/use-document.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'
import { useDeskSettings } from '@/components/settings/use-settings.ts'
import { useDeskProfileSync } from '@/components/profile/profile-sync.tsx'
import { RegisteredWindow } from '@/components/windows/registered-window.tsx'
import { WindowGuard } from '@/components/windows/window-guard.tsx'
import { OverlayLoader } from '@/components/latency/overlay-loader.tsx'
import { SmallWindow } from '@/components/small-window/small-window.tsx'
import { Button } from '@/components/ui/button.tsx'
import { RedeemGate } from '@/components/opening/redeem-gate.tsx'
import { NotOpened } from '@/components/opening/not-opened.tsx'
import { OpeningView } from '@/components/opening/opening-view.tsx'
import { useOwnPresenceUser } from '@/components/profile/own-presence-user.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { UnavailableView } from '@/components/opening/unavailable-view.tsx'
import { useLastRole } from '@/components/opening/use-last-role.ts'
import { useNotedOpening } from '@/components/opening/use-noted-opening.ts'
import { openingStrings } from '@/lib/strings/opening.ts'

interface DocumentOpeningProps {
  readonly id: string
  readonly kind: WindowKind
  /** What the window shows once there is a text and a person. */
  readonly Content: ComponentType<OpenedDocumentProps>
}

/** Opens a window's document: redeems a share link, waits, and says why the document cannot be opened. */
export function DocumentOpening(props: DocumentOpeningProps) {
  const { id } = props
  return (
    <WindowGuard>
      <RedeemGate document={id}>
        <Connecting key={id} {...props} />
      </RedeemGate>
    </WindowGuard>
  )
}

function Connecting(props: DocumentOpeningProps) {
  const { opened, attempt, reopen } = useDocument(props.id)
  if (!opened) return <OpeningView />
  return <Connected key={attempt} {...props} opened={opened} reopen={reopen} />
}

type ConnectedProps = DocumentOpeningProps & Pick<OpenedDocumentProps, 'opened' | 'reopen'>

function Connected({ id, kind, opened, reopen, Content }: ConnectedProps) {
  const status = useStableStatus(opened)
  const role = useLastRole(status)
  const user = useOwnPresenceUser()
  useRequestedTransport(opened)
  useRequestedSimulation(opened)
  useDeskSettings(opened)
  useDeskProfileSync(opened)
  useRememberedConnection(opened)
  useNotedOpening(id, kind, status.document.state === 'synced')
  // Text that is on screen stays there, whatever happens to the connection.
  if (role && user)
    return (
      <RegisteredWindow kind={kind} document={{ id, opened, status, user }}>
        <Content id={id} opened={opened} status={status} role={role} user={user} reopen={reopen} />
        <SmallWindow opened={opened} status={status} />
        <OverlayLoader id={id} kind={kind} opened={opened} status={status} />
      </RegisteredWindow>
    )
  return <ConnectingView id={id} opened={opened} status={status} reopen={reopen} />
}

type ConnectingViewProps = Pick<OpenedDocumentProps, 'id' | 'opened' | 'status' | 'reopen'>

function ConnectingView({ id, opened, status, reopen }: ConnectingViewProps) {
  const { document, link, choice, setAside } = status
  const isSlow = useHasLasted(link.state !== 'up' || setAside !== undefined)
  if (document.state === 'refused') return <RefusedView id={id} reason={document.reason} reopen={reopen} />
  if (link.state === 'stopped') return <RefusedView id={id} reason={link.reason} reopen={reopen} />
  if (!isSlow) return <OpeningView />
  const action = choice !== 'automatic' && !setAside && <AnyTransportButton opened={opened} />
  return <OpeningView note={waitingSentence(status)} action={action} />
}

/** The connection dialog comes with the text, which a pinned and blocked transport would never bring; hence this button. */
function AnyTransportButton({ opened }: { opened: OpenDocument }) {
  const { thisWindowOnly } = useTransportScope()
  return (
    <Button onClick={() => void allowAnyTransport(opened, thisWindowOnly)}>
      {openingStrings.waiting.anyConnection}
    </Button>
  )
}

type RefusedViewProps = Pick<OpenedDocumentProps, 'id' | 'reopen'> & { readonly reason: CloseReason }

function RefusedView({ id, reason, reopen }: RefusedViewProps) {
  if (reason.code === 'forbidden' || reason.code === 'bad-document')
    return <UnavailableView id={id} reopen={reopen} />
  return <NotOpened>{describeClose(reason)}</NotOpened>
}
