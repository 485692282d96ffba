'use client'

import { createContext, useContext } from 'react'
import type { Layout } from '@/lib/windows/layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import type { Opened } from '@/components/opening/opened'

/** What can be done with the panels beside a text. */
export interface Dock {
  readonly document: Opened
  readonly layout: Layout
  /** Wide enough for columns. Otherwise one panel at a time lies over the text. */
  readonly isWide: boolean
  /** The one that lies over the text. */
  readonly sheet: PanelId | null
  /** Detached on an earlier visit, and in no window now. */
  readonly lost: readonly PanelId[]
  /** The windows that a panel of this document stands in, the one looked at last first. */
  windowsOf(panel: PanelId): readonly OwnWindowEntry[]
  isShown(panel: PanelId): boolean
  /** Opens it beside the text, or brings its window forward. What a person asked for gets the keyboard. */
  show(panel: PanelId): void
  /** From a menu, which keeps the keyboard. */
  toggle(panel: PanelId): void
  close(panel: PanelId): void
  /** In a click: into a window of its own. */
  detach(panel: PanelId): void
  bringBack(panel: PanelId): void
  /** All that are lost. */
  dockLost(): void
  change(change: (layout: Layout) => Layout): void
}

export const DockContext = createContext<Dock | null>(null)

/** Null in a window that shows no text. */
export const useDock = (): Dock | null => useContext(DockContext)

/** Within the window of a text alone. */
export function useDockHere(): Dock {
  const dock = useDock()
  if (!dock) throw new Error('There is no dock in this window.')
  return dock
}
