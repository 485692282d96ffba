'use client'

import { useEffect, type RefObject } from 'react'
import { useLoadedFollowing } from './following-context.ts'
import { ReadingSurface } from './reading-surface.ts'
import type { TextElementMap } from './text-element-map.ts'
import { TextScroller } from './text-scroller.ts'

/**
 * Links a reading view to the other windows.
 * @param map Which element shows which block: `ref={map.ref(block.type)}` on each; on text blocks at least, preferably on their parents, too.
 */
export function useFollowedText(container: RefObject<Element | null>, map: TextElementMap): void {
  const context = useLoadedFollowing()
  useEffect(() => {
    if (!context || !container.current) return
    const scroller = new TextScroller(container.current)
    const surface = new ReadingSurface(container.current, map, context.fragment, scroller)
    const handle = context.following.addSurface(surface)
    scroller.watch({
      ...handle,
      onUserInput() {
        surface.onUserInput()
        handle.onUserInput()
      },
      onScroll() {
        surface.onScroll()
        handle.onScroll()
      },
      // What came into view now has its true height, so something else may be where the person stopped.
      onRender() {
        if (scroller.wasScrolledByUser) handle.onScroll()
        else surface.onRender()
      },
    })
    return () => {
      scroller.stop()
      surface.markSelection(null)
      handle.remove()
    }
  }, [context, container, map])
}
