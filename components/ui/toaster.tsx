'use client'

import { useEffect, type CSSProperties } from 'react'
import { toast, Toaster as Sonner } from 'sonner'
import { toasterIsThere } from './toast'

/** Below header and toolbar, and out of the way of the banner at the bottom. In px. */
const TOP = 104

/** Sonner's own names for its colours. They follow the theme by themselves, as all colours here do. */
const colours = {
  '--normal-bg': 'var(--ink)',
  '--normal-border': 'var(--ink)',
  '--normal-text': 'var(--paper)',
} as CSSProperties

export default function Toaster() {
  useEffect(() => toasterIsThere(toast), [])
  return <Sonner position="top-center" offset={TOP} mobileOffset={TOP} style={colours} />
}
