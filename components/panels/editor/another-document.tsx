'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { alsoShown } from '@/components/editor/also-shown'
import { tellUser } from '@/components/following/tell-user'
import { useDocument, useSteadyStatus } from '@/components/editor/use-document'
import type { PresentUser } from '@/components/opening/present-user'
import { useLastRole } from '@/components/opening/use-last-role'
import { SecondText } from './second-text'
import { strings } from '@/lib/strings/second-editor.ts'

/** A document beside the one that the window is about, opened and closed with the choice of it. */
export function AnotherDocument({ id, user }: { id: string; user: PresentUser }) {
  const opened = useDocument(id)
  return opened ? <Connected opened={opened} user={user} /> : <Waiting />
}

const Waiting = () => <p className="p-4 text-sm text-muted">{strings.opening}</p>

function Connected({ opened, user }: { opened: OpenDocument; user: PresentUser }) {
  const status = useSteadyStatus(opened)
  const role = useLastRole(status)
  useEffect(() => alsoShown.add(opened), [opened])
  useEffect(() => tellUser(opened, user), [opened, user])
  if (role) return <SecondText opened={opened} status={status} role={role} user={user} />
  const { document } = status
  if (document.state !== 'refused') return <Waiting />
  return (
    <p role="alert" className="p-4 text-sm">
      {document.reason.code === 'forbidden' || document.reason.code === 'bad-document'
        ? strings.missing
        : describeClose(document.reason)}
    </p>
  )
}
