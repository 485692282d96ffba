'use client'

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { Following, FollowingState } from '@/lib/following/following.ts'
import type { TextPosition } from '@/lib/following/text-position.ts'
import { toast } from '@/components/ui/toast.ts'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { strings } from '@/lib/strings/following.ts'

export interface FollowingContextValue {
  readonly document: string
  readonly following: Following
  readonly fragment: Y.XmlFragment
  /** The awareness of the document. */
  readonly awareness: Awareness
  /** The person links this window to their other windows, or unlinks it. */
  link(shouldLink: boolean): void
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
      if (!context) return
      context.following.goTo(position, options)
      if (!context.following.hasText && !isTextWindowLinked(context.document))
        offerTextWindow(context.document)
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
  toast(strings.noText.message, {
    id: 'no-text',
    action: { label: strings.noText.open, onClick: () => void openNewWindow({ document, kind: 'text' }) },
  })

/** The start of the heading whose section is on screen, here or in the linked windows. Compare its `at`. */
export const useCurrentHeading = (): TextPosition | null => useFollowing().heading

/** Whether this window is linked to the person's other windows. */
export function useLinked(): [linked: boolean, setLinked: (linked: boolean) => void] {
  const context = useContext(FollowingContext)
  const { linked } = useFollowing()
  return [linked, useCallback((shouldLink: boolean) => context?.link(shouldLink), [context])]
}
