'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'
import { titleOf } from '@/components/documents/title'
import { setWindowName } from '@/components/windows/window-title'
import { strings } from '@/lib/strings/opening.ts'

export function useText(text: Y.Text): string {
  const subscribe = (listener: () => void) => {
    text.observe(listener)
    return () => text.unobserve(listener)
  }
  const get = () => text.toJSON()
  return useSyncExternalStore(subscribe, get, get)
}

interface PageTitleProps {
  readonly title: Y.Text
  /** The panel that this window is. */
  readonly panel?: string
}

/** The page's one h1 and the window's name: "Outline – Budget plan", or "Budget plan – Diptych" where the text is. */
export function PageTitle({ title, panel }: PageTitleProps) {
  const shown = titleOf(useText(title))
  const name = panel === undefined ? strings.window.text(shown) : strings.window.panel(panel, shown)
  useEffect(() => setWindowName(name), [name])
  return (
    <h1 className="sr-only">{panel === undefined ? shown : strings.window.panelHeading(panel, shown)}</h1>
  )
}
