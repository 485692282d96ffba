'use client'

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Following } from '@/lib/following/following.ts'
import {
  isLinkedAtFirst,
  linkFirstWindow,
  type DocumentWindowKind,
} from '@/lib/following/link-first-window.ts'
import { browserWindowPlatform } from '@/lib/window-group/browser-window-platform.ts'
import { realClock } from '@/lib/session/clock.ts'
import { unknownUserId, type OwnPresenceUser } from '@/components/opening/own-presence-user.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { FollowingContext, type FollowingContextValue } from './following-context.ts'
import { announceWindow } from './announce-window.ts'
import { startLinkNavigation } from './link-navigation.ts'
import { readStoredLinked, storeLinked } from './linked-storage.ts'
import { broadcastUser } from './broadcast-user.ts'

interface FollowingProviderProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly user: OwnPresenceUser
  readonly kind: DocumentWindowKind
  readonly children: ReactNode
}

/** Wraps what a window shows of a document: lets it scroll with the person's other windows, and follow other people. */
export function FollowingProvider({ document, opened, user, kind, children }: FollowingProviderProps) {
  const [context, setContext] = useState<FollowingContextValue | null>(null)
  const { id: person } = user
  const startAs = useEffectEvent((id: string) => startFollowing(document, opened, { ...user, id }, kind))
  useEffect(() => {
    const { context: created, stop } = startAs(person)
    // oxlint-disable-next-line react/set-state-in-effect -- a channel cannot be opened while rendering
    setContext(created)
    return () => {
      setContext(null)
      stop()
    }
  }, [document, opened, person, kind])
  useEffect(() => (context ? startLinkNavigation(context, opened) : undefined), [context, opened])
  useEffect(() => broadcastUser(opened, user), [opened, user])
  return <FollowingContext value={context}>{children}</FollowingContext>
}

const requestFrame = (run: () => void): (() => void) => {
  const frame = requestAnimationFrame(run)
  return () => cancelAnimationFrame(frame)
}

function startFollowing(
  document: string,
  opened: OpenDocument,
  user: OwnPresenceUser,
  kind: DocumentWindowKind,
) {
  const { doc, awareness, whenSynced } = opened
  const fragment = doc.getXmlFragment('default')
  const person = user.id === unknownUserId ? `${unknownUserId}:${doc.clientID}` : user.id
  const remembered = readStoredLinked(document)
  const linked = remembered ?? isLinkedAtFirst(kind)
  const announcement = announceWindow(awareness, user, kind, linked)
  // Without Web Locks, a goodbye alone shows that a window is gone.
  const platform = browserWindowPlatform() ?? { channel: (name) => new BroadcastChannel(name) }
  const groupName = `diptych:views:${document}:${person}`
  const following = new Following(
    { fragment, awareness, person, platform, groupName, clock: realClock, requestFrame },
    linked,
  )
  const announceLinked = () => {
    const { linked } = following.get()
    announcement.setLinked(linked)
    ownPage().registry.updateOwn({ linked })
  }
  const stopAnnouncing = following.subscribe(announceLinked)
  announceLinked()
  let isChosen = remembered !== null
  const linkUnlessChosen = (first: boolean) => {
    if (!isChosen) following.setLinked(first)
  }
  const first = {
    locks: navigator.locks,
    awareness,
    document,
    person,
    isLocal: following.isLocal,
    whenSynced,
  }
  const stopLinkingFirst = kind === 'text' ? linkFirstWindow(first, linkUnlessChosen) : () => {}
  const link = (shouldLink: boolean) => {
    isChosen = true
    storeLinked(document, shouldLink)
    following.setLinked(shouldLink)
  }
  const stopReceivingRequests = ownPage().registry.onRequest((what) => {
    if (what.type === 'link') link(what.linked)
  })
  const stop = () => {
    stopLinkingFirst()
    stopAnnouncing()
    stopReceivingRequests()
    announcement.stop()
    following.close()
  }
  return { context: { document, following, fragment, awareness, link }, stop }
}
