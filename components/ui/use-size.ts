'use client'

import { useEffect, type RefObject } from 'react'

/** Tells the page how high an element is, in a custom property: for what begins right below it. */
export function useHeight(element: RefObject<HTMLElement | null>, property: `--${string}`): void {
  useEffect(() => {
    const { current } = element
    if (!current) return
    const { style } = document.documentElement
    const tell = () => style.setProperty(property, `${current.offsetHeight}px`)
    const watch = new ResizeObserver(tell)
    tell()
    watch.observe(current)
    return () => watch.disconnect()
  }, [element, property])
}
