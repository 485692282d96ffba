'use client'

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import type { Awareness } from 'y-protocols/awareness'
import type * as Y from 'yjs'
import type { Following, FollowingState } from '@/lib/following/following.ts'
import type { Spot } from '@/lib/following/spot.ts'
import { toast } from '@/components/ui/toast'
import { openOwn } from '@/components/windows/open'
import { ownPage } from '@/components/windows/own-page'
import { ReadingSurface } from './reading-surface'
import { Scroller } from './scroller'
import type { TextMap } from './text-map'
import { strings } from '@/lib/strings/following.ts'

export interface FollowingHere {
  readonly document: string
  readonly following: Following
  readonly fragment: Y.XmlFragment
  /** The document's. */
  readonly awareness: Awareness
  /** By the person's own choice: this window moves along, or no longer. */
  link(wanted: boolean): void
}

/** Null until the window has told the others that it is there. */
export const FollowingContext = createContext<FollowingHere | null>(null)

const alone: FollowingState = { linked: false, heading: null, followed: null }
const never = () => () => {}
const getAlone = () => alone

export function useFollowing(): FollowingState {
  const following = useContext(FollowingContext)?.following
  const get = following?.get ?? getAlone
  return useSyncExternalStore(following?.subscribe ?? never, get, get)
}

/**
 * Shows a place in the text: here where this window has the text, else in the windows that follow. A spot without an end goes to the top,
 * a selection comes into view. For what a person has just asked for.
 */
export function useGoTo(): (spot: Spot, options?: { within?: boolean }) => void {
  const here = useContext(FollowingContext)
  return useCallback(
    (spot, options) => {
      if (!here) return
      here.following.goTo(spot, options)
      if (!here.following.hasText && !textFollows(here.document)) offerText(here.document)
    },
    [here],
  )
}

const showsText = new Set(['text', 'preview', 'editor'])

/** Whether another window of this person shows the text and moves along. */
const textFollows = (document: string): boolean =>
  ownPage()
    .register.get()
    .some((other) => !other.self && other.document === document && other.linked && showsText.has(other.kind))

/** It goes there as it opens. */
const offerText = (document: string): void =>
  toast(strings.noText.message, {
    id: 'no-text',
    action: { label: strings.noText.open, onClick: () => void openOwn({ document, kind: 'text' }) },
  })

/** The beginning of the heading whose section is looked at, here or in the windows that follow each other; compare its `at`. */
export const useCurrentHeading = (): Spot | null => useFollowing().heading

/** Whether this window moves along with the person's others. */
export function useLinked(): [linked: boolean, setLinked: (linked: boolean) => void] {
  const here = useContext(FollowingContext)
  const { linked } = useFollowing()
  return [linked, useCallback((wanted: boolean) => here?.link(wanted), [here])]
}

/**
 * Lets a view to read move along with the other windows.
 * @param map Which element shows which block: `ref={map.ref(block.type)}` on each; text blocks at least, better their parents, too.
 */
export function useFollowedText(container: RefObject<Element | null>, map: TextMap): void {
  const here = useContext(FollowingContext)
  useEffect(() => {
    if (!here || !container.current) return
    const scroller = new Scroller(container.current)
    const surface = new ReadingSurface(container.current, map, here.fragment, scroller)
    const handle = here.following.add(surface)
    scroller.watch({
      ...handle,
      touched() {
        surface.leave()
        handle.touched()
      },
      scrolled() {
        surface.scrolled()
        handle.scrolled()
      },
      // What came into sight has its own height now: something else may stand where the hand stopped.
      redrawn() {
        if (scroller.wasMoved) handle.scrolled()
        else surface.redrawn()
      },
    })
    return () => {
      scroller.stop()
      surface.mark(null)
      handle.remove()
    }
  }, [here, container, map])
}
