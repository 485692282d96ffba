'use client'

import { useEffect, useState, type RefObject } from 'react'

/** Whether an element has scrolled beneath the header, whatever the header's present height. */
export function useScrolledAway(
  element: RefObject<HTMLElement | null>,
  header: RefObject<HTMLElement | null>,
): boolean {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const [watchedElement, headerElement] = [element.current, header.current]
    if (!watchedElement || !headerElement) return
    let intersection: IntersectionObserver | undefined
    const observeBelowHeader = () => {
      intersection?.disconnect()
      intersection = new IntersectionObserver(
        (entries) => setAway(entries.at(-1)?.isIntersecting === false),
        {
          rootMargin: `-${headerElement.offsetHeight}px 0px 0px`,
        },
      )
      intersection.observe(watchedElement)
    }
    const headerSize = new ResizeObserver(observeBelowHeader)
    headerSize.observe(headerElement)
    return () => {
      headerSize.disconnect()
      intersection?.disconnect()
    }
  }, [element, header])
  return isAway
}
