'use client'

import { useEffect, type RefObject } from 'react'

/** Tells the page how wide or high an element is, in a custom property that is there as long as it is: for what begins beside it. */
export function useSizeProperty(
  element: RefObject<HTMLElement | null>,
  side: 'offsetWidth' | 'offsetHeight',
  property: `--${string}`,
): void {
  useEffect(() => {
    const { current } = element
    if (!current) return
    const { style } = document.documentElement
    const updateProperty = () => style.setProperty(property, `${current[side]}px`)
    const observer = new ResizeObserver(updateProperty)
    updateProperty()
    observer.observe(current)
    return () => {
      observer.disconnect()
      style.removeProperty(property)
    }
  }, [element, side, property])
}
