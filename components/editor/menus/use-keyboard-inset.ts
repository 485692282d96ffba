'use client'

import { useEffect } from 'react'

/** In px: what covers more of the window than a browser's bars do is a keyboard. */
const LEAST_KEYBOARD = 120

/** Says in CSS how much of the window a phone's keyboard covers: the toolbar stands above it (app/globals.css). */
export function useKeyboardInset(isWanted: boolean): void {
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport || !isWanted) return
    const { dataset, style } = document.documentElement
    const stop = new AbortController()
    const measure = () => {
      const inset = Math.round(innerHeight - viewport.height - viewport.offsetTop)
      if (inset < LEAST_KEYBOARD) return void delete dataset.keyboard
      dataset.keyboard = ''
      // Whatever is on the page inherits it: the first change costs the style of each element.
      style.setProperty('--keyboard-inset', `${inset}px`)
    }
    viewport.addEventListener('resize', measure, { signal: stop.signal })
    viewport.addEventListener('scroll', measure, { signal: stop.signal })
    measure()
    return () => {
      stop.abort()
      delete dataset.keyboard
    }
  }, [isWanted])
}
