'use client'

import { useMemo, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose, type CloseReason } from '@/lib/protocol/close.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { useConnectionUi } from '@/components/connection/choice'
import { allowAnyTransport, waitingSentence } from '@/components/connection/pin'
import { useMe } from '@/components/documents/queries'
import { Button } from '@/components/ui/button'
import { Face, MissingDocument } from '@/components/ui/face'
import { colourOf } from './colour'
import { Entrance } from './entrance'
import type { PresentUser } from './extensions'
import { OpeningFace } from './opening-face'
import { useLastRole } from './use-last-role'
import { GRACE_MS, useLasting } from './timing'
import { useDocument, useSteadyStatus } from './use-document'
import { useUnknownPart } from './use-unknown-part'
import { Workspace } from './workspace'

/** Offline, one page that was kept stands for every document: see public/sw.js. */
const shellId = 'AAAAAAAAAAAAAAAAAAAAAA'

const idIn = (pathname: string): string => pathname.split('/')[2] ?? shellId

export default function DocumentPage({ id: given }: { id: string }) {
  const [id] = useState(() => (given === shellId ? idIn(location.pathname) : given))
  return (
    <Entrance document={id}>
      <Opening key={id} id={id} />
    </Entrance>
  )
}

function Opening({ id }: { id: string }) {
  const opened = useDocument(id)
  return opened ? <OpenedDocument id={id} opened={opened} /> : <OpeningFace />
}

function OpenedDocument({ id, opened }: { id: string; opened: OpenDocument }) {
  const status = useSteadyStatus(opened)
  const role = useLastRole(status)
  const user = usePresentUser()
  if (useUnknownPart(opened) !== null) return <NewerDocument />
  // Once there is text on screen it stays there, whatever becomes of the connection.
  if (role && user) return <Workspace id={id} opened={opened} status={status} role={role} user={user} />
  return <NotYet opened={opened} status={status} />
}

function NewerDocument() {
  const reload = (
    <Button look="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  )
  return (
    <Face title="This document needs a newer page" actions={reload}>
      It has parts that this page does not know, and could only damage. Nothing is lost: reload the page to go
      on.
    </Face>
  )
}

/** Null until the server told who this is; a guest without a name when it would not. */
function usePresentUser(): PresentUser | null {
  const { data, isError } = useMe()
  return useMemo(() => {
    const me = data ?? (isError ? { id: 'guest', name: 'Guest' } : null)
    return me && { id: me.id, name: me.name, color: colourOf(me.id) }
  }, [data, isError])
}

function NotYet({ opened, status }: { opened: OpenDocument; status: SteadyStatus }) {
  const { document, link, choice } = status
  const slow = useLasting(link.state !== 'up', GRACE_MS)
  if (document.state === 'refused') return <Refused reason={document.reason} />
  if (link.state === 'stopped') return <Refused reason={link.reason} />
  if (!slow) return <OpeningFace />
  const action = choice !== 'automatic' && <AnyConnection opened={opened} />
  return <OpeningFace note={waitingSentence(status)} action={action} />
}

/** The dialog of the connection comes with the text, which a transport that is pinned and blocked would never bring. */
function AnyConnection({ opened }: { opened: OpenDocument }) {
  const { onlyHere } = useConnectionUi()
  return <Button onClick={() => void allowAnyTransport(opened, onlyHere)}>Use any connection</Button>
}

function Refused({ reason }: { reason: CloseReason }) {
  if (reason.code === 'forbidden' || reason.code === 'bad-document') return <MissingDocument />
  const again = (
    <Button look="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  )
  return (
    <Face title="The document did not open" actions={again}>
      {describeClose(reason)}
    </Face>
  )
}
