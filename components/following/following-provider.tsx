'use client'

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Following } from '@/lib/following/following.ts'
import { followsFromTheStart, moveAlongAsFirst, type ShownKind } from '@/lib/following/first-window.ts'
import { realClock } from '@/lib/session/clock.ts'
import { unknownUser, type PresentUser } from '@/components/opening/present-user'
import { ownPage } from '@/components/windows/own-page'
import { FollowingContext, type FollowingHere } from './context'
import { introduce } from './introduce'
import { rememberedLinked, rememberLinked } from './linked'
import { tellUser } from './tell-user'

interface FollowingProviderProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly user: PresentUser
  readonly kind: ShownKind
  readonly children: ReactNode
}

/** Around what a window shows of a document: lets it move along with the person's other windows, and after other people. */
export function FollowingProvider({ document, opened, user, kind, children }: FollowingProviderProps) {
  const [here, setHere] = useState<FollowingHere | null>(null)
  const { id: person } = user
  const joinAs = useEffectEvent((id: string) => join(document, opened, { ...user, id }, kind))
  useEffect(() => {
    const { here: made, stop } = joinAs(person)
    // oxlint-disable-next-line react/set-state-in-effect -- a channel cannot be opened while rendering
    setHere(made)
    return () => {
      setHere(null)
      stop()
    }
  }, [document, opened, person, kind])
  useEffect(() => tellUser(opened, user), [opened, user])
  return <FollowingContext value={here}>{children}</FollowingContext>
}

const framesHere = (run: () => void): (() => void) => {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

function join(document: string, opened: OpenDocument, user: PresentUser, kind: ShownKind) {
  const { doc, awareness, whenSynced } = opened
  const fragment = doc.getXmlFragment('default')
  const person = user.id === unknownUser ? `${unknownUser}:${doc.clientID}` : user.id
  const remembered = rememberedLinked(document)
  const linked = remembered ?? followsFromTheStart(kind)
  const told = introduce(awareness, user, kind, linked)
  const channel = new BroadcastChannel(`diptych:views:${document}:${person}`)
  const following = new Following(
    { fragment, awareness, person, channel, clock: realClock, frames: framesHere },
    linked,
  )
  const tellLinked = () => {
    const { linked } = following.get()
    told.setLinked(linked)
    ownPage().register.tell({ linked })
  }
  const stopTelling = following.subscribe(tellLinked)
  tellLinked()
  let isChosen = remembered !== null
  const automatically = (first: boolean) => {
    if (!isChosen) following.setLinked(first)
  }
  const first = { locks: navigator.locks, awareness, document, person, isHere: following.isHere, whenSynced }
  const stopBeingFirst = kind === 'text' ? moveAlongAsFirst(first, automatically) : () => {}
  const link = (wanted: boolean) => {
    isChosen = true
    rememberLinked(document, wanted)
    following.setLinked(wanted)
  }
  const stopHearing = ownPage().register.onAsked((what) => {
    if (what.type === 'link') link(what.linked)
  })
  const stop = () => {
    stopBeingFirst()
    stopTelling()
    stopHearing()
    told.stop()
    following.close()
  }
  return { here: { document, following, fragment, awareness, link }, stop }
}
