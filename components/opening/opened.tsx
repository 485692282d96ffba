'use client'

import type { ComponentType } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose, type CloseReason } from '@/lib/protocol/close.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/api'
import { useConnectionUi } from '@/components/connection/choice'
import { useAskedSimulation } from '@/components/connection/use-asked-simulation'
import { useAskedTransport } from '@/components/connection/use-asked-transport'
import { useBrowserChoices } from '@/components/connection/use-browser-choices'
import { allowAnyTransport, waitingSentence } from '@/components/connection/pin'
import { LINK_GRACE_MS, useHasLasted } from '@/components/editor/use-has-lasted'
import { useDocument, useSteadyStatus } from '@/components/editor/use-document'
import type { WindowKind } from '@/lib/windows/window-state.ts'
import { useSettingsOfDesk } from '@/components/settings/use-settings'
import { useProfileOfDesk } from '@/components/profile/profile-in-step'
import { RegisteredWindow } from '@/components/windows/registered-window'
import { WindowGuard } from '@/components/windows/window-guard'
import { OverlayLoader } from '@/components/latency/overlay-loader'
import { SmallWindow } from '@/components/small-window/small-window'
import { Button } from '@/components/ui/button'
import { Face, MissingDocument } from '@/components/ui/face'
import { Entrance } from './entrance'
import { OpeningFace } from './opening-face'
import { usePresentUser, type PresentUser } from './present-user'
import { useLastRole } from './use-last-role'
import { strings } from '@/lib/strings/opening.ts'

export interface Opened {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  readonly role: Role
  readonly user: PresentUser
}

interface OpeningProps {
  readonly id: string
  readonly kind: WindowKind
  /** What the window shows, once there is a text and a person. */
  readonly Content: ComponentType<Opened>
}

/** A window opens a document: lets people in by their link, waits, says why it cannot be. */
export function Opening(props: OpeningProps) {
  const { id } = props
  return (
    <WindowGuard>
      <Entrance document={id}>
        <Connecting key={id} {...props} />
      </Entrance>
    </WindowGuard>
  )
}

function Connecting(props: OpeningProps) {
  const opened = useDocument(props.id)
  return opened ? <Connected {...props} opened={opened} /> : <OpeningFace />
}

function Connected({ id, kind, opened, Content }: OpeningProps & { opened: OpenDocument }) {
  const status = useSteadyStatus(opened)
  const role = useLastRole(status)
  const user = usePresentUser()
  useAskedTransport(opened)
  useAskedSimulation(opened)
  useSettingsOfDesk(opened)
  useProfileOfDesk(opened)
  useBrowserChoices(opened)
  // Once there is text on screen it stays there, whatever becomes of the connection.
  if (role && user)
    return (
      <RegisteredWindow kind={kind} document={{ id, opened, status, user }}>
        <Content id={id} opened={opened} status={status} role={role} user={user} />
        <SmallWindow opened={opened} status={status} />
        <OverlayLoader id={id} kind={kind} opened={opened} status={status} />
      </RegisteredWindow>
    )
  return <NotYet opened={opened} status={status} />
}

function NotYet({ opened, status }: { opened: OpenDocument; status: StableSyncStatus }) {
  const { document, link, choice, setAside } = status
  const slow = useHasLasted(link.state !== 'up' || setAside !== undefined, LINK_GRACE_MS)
  if (document.state === 'refused') return <Refused reason={document.reason} />
  if (link.state === 'stopped') return <Refused reason={link.reason} />
  if (!slow) return <OpeningFace />
  const action = choice !== 'automatic' && !setAside && <AnyConnection opened={opened} />
  return <OpeningFace note={waitingSentence(status)} action={action} />
}

/** The dialog of the connection comes with the text, which a transport that is pinned and blocked would never bring. */
function AnyConnection({ opened }: { opened: OpenDocument }) {
  const { onlyHere } = useConnectionUi()
  return (
    <Button onClick={() => void allowAnyTransport(opened, onlyHere)}>{strings.waiting.anyConnection}</Button>
  )
}

function Refused({ reason }: { reason: CloseReason }) {
  if (reason.code === 'forbidden' || reason.code === 'bad-document') return <MissingDocument />
  const again = (
    <Button look="primary" onClick={() => location.reload()}>
      {strings.refused.reload}
    </Button>
  )
  return (
    <Face title={strings.refused.title} actions={again}>
      {describeClose(reason)}
    </Face>
  )
}
