'use client'

import { useEffect, type CSSProperties } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { setToaster } from './toast.ts'

/** Covers neither the first lines of a text nor the controls at a panel's top; stays above a banner of one line, and a bar below the text. */
const BOTTOM = 'calc(72px + var(--bottom-bar-height, 0px))'
/** In px, for a narrow window. */
const SIDE = 12

/** In a narrow window the text has the first line, beside an icon, and the buttons have the next one. */
const classNames = { toast: 'max-sm:flex-wrap', content: 'max-sm:basis-[calc(100%-2rem)]!' }

/** Sonner's own names for its colours. They follow the theme automatically, as all colours here do. */
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
