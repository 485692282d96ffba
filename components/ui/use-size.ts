'use client'

import { useEffect, type RefObject } from 'react'

/** Tells the page how wide or high an element is, in a custom property that is there as long as it is: for what begins beside it. */
export function useSize(
  element: RefObject<HTMLElement | null>,
  side: 'offsetWidth' | 'offsetHeight',
  property: `--${string}`,
): void {
  useEffect(() => {
    const { current } = element
    if (!current) return
    const { style } = document.documentElement
    const tell = () => style.setProperty(property, `${current[side]}px`)
    const watch = new ResizeObserver(tell)
    tell()
    watch.observe(current)
    return () => {
      watch.disconnect()
      style.removeProperty(property)
    }
  }, [element, side, property])
}
