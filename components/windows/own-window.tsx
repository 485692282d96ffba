'use client'

import { useEffect, type ReactNode } from 'react'
import type { WindowKind, WindowState } from '@/lib/windows/window-state.ts'
import type { LinkInfo } from '@/lib/transports/transport.ts'
import { titleOf } from '@/components/documents/title'
import type { OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus, TransportChoice } from '@/lib/sync/status.ts'
import { unknownUser, type PresentUser } from '@/components/opening/present-user'
import { BlockedWindow } from './blocked-window'
import { ownPage } from './own-page'
import { SentHere } from './sent-here'
import { WindowCommands } from './window-commands'

interface ShownDocument {
  readonly id: string
  readonly opened: OpenDocument
  readonly status: SteadyStatus
  readonly user: PresentUser
}

interface OwnWindowProps {
  readonly kind: WindowKind
  readonly document: ShownDocument
  readonly children: ReactNode
}

/** This page is one of the person's windows, once it shows a document. */
export function OwnWindow({ kind, document, children }: OwnWindowProps) {
  useTold(kind, document)
  return (
    <>
      {children}
      <BlockedWindow />
      <SentHere />
      <WindowCommands />
    </>
  )
}

/** What the others hear of this window. */
function useTold(kind: WindowKind, { id, opened, status, user }: ShownDocument): void {
  const { register, settle } = ownPage()
  useEffect(() => {
    register.tell({ kind, document: id })
    settle()
    return () => register.tell({ kind: 'documents', document: null, title: '', link: undefined })
  }, [register, settle, kind, id])
  useEffect(() => {
    if (user.id !== unknownUser) register.join(user.id)
  }, [register, user.id])
  useEffect(() => {
    const { desk } = opened
    return desk ? register.meet(desk.awareness) : undefined
  }, [register, opened])
  useToldTitle(opened)
  useToldLink(opened, status)
  const { simulated } = status
  useEffect(() => register.tell({ simulated }), [register, simulated])
}

/** A title is typed letter by letter, and other windows need not hear each of them. In ms. */
const TITLE_MS = 300

function useToldTitle({ doc }: OpenDocument): void {
  useEffect(() => {
    const title = doc.getText('title')
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => ownPage().register.tell({ title: titleOf(title.toJSON()) })
    const onChange = () => {
      clearTimeout(timer)
      timer = setTimeout(tell, TITLE_MS)
    }
    tell()
    title.observe(onChange)
    return () => {
      clearTimeout(timer)
      title.unobserve(onChange)
    }
  }, [doc])
}

/** A round trip changes with each word, and is only looked at in a list. In ms. */
const ROUND_TRIP_MS = 10_000

function useToldLink(opened: OpenDocument, { link, choice }: SteadyStatus): void {
  useEffect(() => {
    const tell = () => {
      const { transport, stats } = opened
      const roundTrip = link.state === 'up' ? stats().roundTripMs : undefined
      ownPage().register.tell({
        link: link.state === 'up' && transport ? linkOf(transport, choice, roundTrip) : undefined,
      })
    }
    tell()
    const timer = setInterval(tell, ROUND_TRIP_MS)
    return () => clearInterval(timer)
  }, [opened, link, choice])
}

const linkOf = (
  { transport, protocol }: LinkInfo,
  choice: TransportChoice,
  roundTripMs: number | undefined,
): WindowState['link'] => ({
  transport,
  choice,
  ...(protocol && { protocol }),
  ...(roundTripMs !== undefined && { roundTripMs: Math.round(roundTripMs) }),
})
