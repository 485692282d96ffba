'use client'

import { useEffect, useState, type RefObject } from 'react'

/** Whether an element has gone beneath the header, as high as that is now. */
export function useScrolledAway(
  element: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
): boolean {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const [watched, cover] = [element.current, header.current]
    if (!watched || !cover) return
    let sight: IntersectionObserver | undefined
    const watch = () => {
      sight?.disconnect()
      sight = new IntersectionObserver((entries) => setAway(entries.at(-1)?.isIntersecting === false), {
        rootMargin: `-${cover.offsetHeight}px 0px 0px`,
      })
      sight.observe(watched)
    }
    const size = new ResizeObserver(watch)
    size.observe(cover)
    return () => {
      size.disconnect()
      sight?.disconnect()
    }
  }, [element, header])
  return isAway
}
