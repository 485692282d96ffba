'use client'

import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from 'react'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { Following, FollowingState } from '@/lib/following/following.ts'
import type { TextPosition } from '@/lib/following/text-position.ts'
import { toast } from '@/components/ui/toast.ts'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { followingStrings } from '@/lib/strings/following.ts'

export interface FollowingContextValue {
  readonly document: string
  /** Null until it has loaded. */
  readonly following: Following | null
  readonly fragment: Y.XmlFragment
  /** The awareness of the document. */
  readonly awareness: Awareness
  /** The person links this window to their other windows, or unlinks it. */
  link(shouldLink: boolean): void
  /** The person did something, with no other window or person here, before following had loaded. */
  readonly wasUsedAlone: boolean
  /** Loads following. Resolves with null once the window no longer shows the document. */
  load(): Promise<Following | null>
}

export type LoadedFollowing = Pick<FollowingContextValue, 'document' | 'fragment' | 'wasUsedAlone'> & {
  readonly following: Following
}

export const isLoaded = (
  context: FollowingContextValue | null,
): context is FollowingContextValue & LoadedFollowing => context?.following != null

/** The context of something that shows the text, and moves along from its beginning. */
export function useLoadedFollowing(): LoadedFollowing | null {
  const context = useContext(FollowingContext)
  useEffect(() => void context?.load(), [context])
  return isLoaded(context) ? context : null
}

/** Null until the window has announced itself to the others. */
export const FollowingContext = createContext<FollowingContextValue | null>(null)

const notFollowing: FollowingState = { linked: false, heading: null, followed: null }
const subscribeToNothing = () => () => {}
const getNotFollowing = () => notFollowing

export function useFollowing(): FollowingState {
  const following = useContext(FollowingContext)?.following
  const get = following?.get ?? getNotFollowing
  return useSyncExternalStore(following?.subscribe ?? subscribeToNothing, get, get)
}

/**
 * Shows a position of the text: in this window if it has the text, else in the linked windows. A position without an end scrolls to the
 * top, a selection scrolls into view. For what a person has just asked for.
 */
export function useGoTo(): (position: TextPosition, options?: { within?: boolean }) => void {
  const context = useContext(FollowingContext)
  return useCallback(
    (position, options) => {
      // Until it has loaded, this window is one with the text, which goes there as soon as it is linked.
      if (!isLoaded(context)) return void context?.load().then((loaded) => loaded?.goTo(position, options))
      const { following, document } = context
      following.goTo(position, options)
      if (!following.hasText && !isTextWindowLinked(document)) offerTextWindow(document)
    },
    [context],
  )
}

const textKinds = new Set(['text', 'preview', 'editor'])

/** Whether another window of this person shows the text and is linked. */
const isTextWindowLinked = (document: string): boolean =>
  ownPage()
    .registry.get()
    .some((other) => !other.self && other.document === document && other.linked && textKinds.has(other.kind))

/** The new window goes to the position as it opens. */
const offerTextWindow = (document: string): void =>
  toast(followingStrings.noText.message, {
    id: 'no-text',
    action: {
      label: followingStrings.noText.open,
      onClick: () => void openNewWindow({ document, kind: 'text' }),
    },
  })

/** The start of the heading whose section is on screen, here or in the linked windows. Compare its `at`. */
export function useCurrentHeading(): TextPosition | null {
  useLoadedFollowing()
  return useFollowing().heading
}

/** Whether this window is linked to the person's other windows. */
export function useLinked(): [linked: boolean, setLinked: (linked: boolean) => void] {
  const context = useContext(FollowingContext)
  const { linked } = useFollowing()
  return [linked, useCallback((shouldLink: boolean) => context?.link(shouldLink), [context])]
}
