'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type * as Y from 'yjs'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { setWindowName } from '@/components/windows/window-title.ts'
import { openingStrings } from '@/lib/strings/opening.ts'

export function useYText(text: Y.Text): string {
  const subscribe = (listener: () => void) => {
    text.observe(listener)
    return () => text.unobserve(listener)
  }
  const get = () => text.toJSON()
  return useSyncExternalStore(subscribe, get, get)
}

interface PageTitleProps {
  readonly title: Y.Text
  /** The panel that this window shows. */
  readonly panel?: string
}

/** The page's only h1 and the window's name: "Outline – Budget plan", or "Budget plan – Diptych" for a text window. */
export function PageTitle({ title, panel }: PageTitleProps) {
  const documentTitle = shownTitle(useYText(title))
  const name =
    panel === undefined
      ? openingStrings.window.text(documentTitle)
      : openingStrings.window.panel(panel, documentTitle)
  useEffect(() => setWindowName(name), [name])
  return (
    <h1 className="sr-only">
      {panel === undefined ? documentTitle : openingStrings.window.panelHeading(panel, documentTitle)}
    </h1>
  )
}
