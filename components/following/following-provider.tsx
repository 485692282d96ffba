'use client'

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { broadcastUser } from './broadcast-user.ts'
import { FollowingContext, type FollowingContextValue } from './following-context.ts'
import { type FollowingWindow, WindowFollowing } from './window-following.ts'

/** Wraps what a window shows of a document: lets it scroll with the person's other windows, and follow other people. */
export function FollowingProvider({
  children,
  ...shown
}: FollowingWindow & { readonly children: ReactNode }) {
  const { document, opened, user, kind } = shown
  const [context, setContext] = useState<FollowingContextValue | null>(null)
  const { id: person } = user
  const startAs = useEffectEvent(
    (id: string) => new WindowFollowing({ ...shown, user: { ...user, id } }, setContext),
  )
  useEffect(() => {
    const started = startAs(person)
    // oxlint-disable-next-line react/set-state-in-effect -- a window cannot be announced while rendering
    setContext(started.context)
    return () => {
      setContext(null)
      started.stop()
    }
  }, [document, opened, person, kind])
  useEffect(() => broadcastUser(opened, user), [opened, user])
  return <FollowingContext value={context}>{children}</FollowingContext>
}
