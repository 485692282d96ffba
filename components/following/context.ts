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
import { ReadingSurface } from './reading-surface'
import { Scroller } from './scroller'
import type { TextMap } from './text-map'

export interface FollowingHere {
  readonly following: Following
  readonly fragment: Y.XmlFragment
  /** The document's. */
  readonly awareness: Awareness
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
  const following = useContext(FollowingContext)?.following
  return useCallback((spot, options) => following?.goTo(spot, options), [following])
}

/** The beginning of the heading whose section is looked at, here or in the windows that follow each other; compare its `at`. */
export const useCurrentHeading = (): Spot | null => useFollowing().heading

/** Whether this window moves along with the person's others. */
export function useLinked(): [linked: boolean, setLinked: (linked: boolean) => void] {
  const following = useContext(FollowingContext)?.following
  const { linked } = useFollowing()
  return [linked, useCallback((wanted: boolean) => following?.setLinked(wanted), [following])]
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
      scrolled() {
        surface.scrolled()
        handle.scrolled()
      },
    })
    return () => {
      scroller.stop()
      surface.mark(null)
      handle.remove()
    }
  }, [here, container, map])
}
