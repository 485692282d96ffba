'use client'

import { useEffect, type CSSProperties } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { setToaster } from './toast'

/** px. Over neither the first lines of a text nor the controls at a panel's top; above a banner of one line. */
const BOTTOM = 72
/** px. Of a narrow window. */
const SIDE = 12

/** In a narrow window the words have the first line to themselves, an icon aside, and the buttons the next one. */
const classNames = { toast: 'max-sm:flex-wrap', content: 'max-sm:basis-[calc(100%-2rem)]!' }

/** Sonner's own names for its colours. They follow the theme by themselves, as all colours here do. */
const colours = {
  '--normal-bg': 'var(--ink)',
  '--normal-border': 'var(--ink)',
  '--normal-text': 'var(--paper)',
} as CSSProperties

export default function Toaster() {
  useEffect(() => setToaster(toast), [])
  return (
    <Sonner
      position="bottom-center"
      offset={{ bottom: BOTTOM }}
      mobileOffset={{ bottom: BOTTOM, left: SIDE, right: SIDE }}
      toastOptions={{ classNames }}
      style={colours}
    />
  )
}
