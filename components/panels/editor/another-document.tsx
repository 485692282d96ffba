'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { secondaryDocuments } from '@/components/editor/save-state/secondary-documents.ts'
import { broadcastUser } from '@/components/following/broadcast-user.ts'
import { useDocument, useStableStatus } from '@/components/opening/use-document.ts'
import type { OwnPresenceUser } from '@/components/profile/own-presence-user.ts'
import { useLastRole } from '@/components/opening/use-last-role.ts'
import { SecondText } from './second-text.tsx'
import { secondEditorStrings } from '@/lib/strings/second-editor.ts'

/** A second document in this window, opened and closed as the person chooses it. */
export function AnotherDocument({ id, user }: { id: string; user: OwnPresenceUser }) {
  const { opened } = useDocument(id)
  return opened ? <ConnectedDocument opened={opened} user={user} /> : <Waiting />
}

const Waiting = () => <p className="p-4 text-sm text-muted">{secondEditorStrings.opening}</p>

function ConnectedDocument({ opened, user }: { opened: OpenDocument; user: OwnPresenceUser }) {
  const status = useStableStatus(opened)
  const role = useLastRole(status)
  useEffect(() => secondaryDocuments.addDocument(opened), [opened])
  useEffect(() => broadcastUser(opened, user), [opened, user])
  if (role) return <SecondText opened={opened} status={status} role={role} user={user} />
  const { document } = status
  if (document.state !== 'refused') return <Waiting />
  return (
    <p role="alert" className="p-4 text-sm">
      {document.reason.code === 'forbidden' || document.reason.code === 'bad-document'
        ? secondEditorStrings.missing
        : describeClose(document.reason)}
    </p>
  )
}
