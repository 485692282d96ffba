'use client'

import { usePathname } from 'next/navigation'
import { useEffect, type CSSProperties } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { toasterIsThere } from './toast'

/** px. Over a text: below header and toolbar, and out of the way of the banner at the bottom. */
const TOP = 104
/** px. Over a panel, whose controls are at its top: above a banner of one line. */
const BOTTOM = 72
/** px. Of a narrow window. */
const SIDE = 12

const isPanel = (path: string): boolean => /^\/d\/[^/]+\/p\//.test(path)

/** In a narrow window the words have the first line to themselves, an icon aside, and the buttons the next one. */
const classNames = { toast: 'max-sm:flex-wrap', content: 'max-sm:basis-[calc(100%-2rem)]!' }

/** Sonner's own names for its colours. They follow the theme by themselves, as all colours here do. */
const colours = {
  '--normal-bg': 'var(--ink)',
  '--normal-border': 'var(--ink)',
  '--normal-text': 'var(--paper)',
} as CSSProperties

export default function Toaster() {
  useEffect(() => toasterIsThere(toast), [])
  const atBottom = isPanel(usePathname())
  const offset = atBottom ? { bottom: BOTTOM } : { top: TOP }
  return (
    <Sonner
      position={atBottom ? 'bottom-center' : 'top-center'}
      offset={offset}
      mobileOffset={{ ...offset, left: SIDE, right: SIDE }}
      toastOptions={{ classNames }}
      style={colours}
    />
  )
}
