'use client'

import { useEffect, type RefObject } from 'react'

/** Publishes an element's width or height as a custom property while the element exists, so that others can start beside it. */
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
