'use client'

import { createContext, useContext } from 'react'
import type { PanelLayout } from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import type { OpenedDocumentProps } from '@/components/opening/document-opening'

/** What can be done with the panels beside a text. */
export interface Dock {
  readonly document: OpenedDocumentProps
  readonly layout: PanelLayout
  /** Wide enough for columns. Otherwise one panel at a time lies over the text. */
  readonly hasColumns: boolean
  /** The one that lies over the text. */
  readonly sheetPanel: PanelId | null
  /** Detached on an earlier visit, and in no window now. */
  readonly lostPanels: readonly PanelId[]
  /** The windows that a panel of this document stands in, the one looked at last first. */
  windowsOf(panel: PanelId): readonly OwnWindowEntry[]
  isPanelShown(panel: PanelId): boolean
  /** Opens it beside the text, or brings its window forward. What a person asked for gets the keyboard. */
  showPanel(panel: PanelId): void
  /** From a menu, which keeps the keyboard. */
  togglePanel(panel: PanelId): void
  closePanel(panel: PanelId): void
  /** In a click: into a window of its own. */
  detachPanel(panel: PanelId): void
  bringPanelBack(panel: PanelId): void
  /** All that are lost. */
  dockLostPanels(): void
  updateLayout(change: (layout: PanelLayout) => PanelLayout): void
}

export const DockContext = createContext<Dock | null>(null)

/** Null in a window that shows no text. */
export const useDock = (): Dock | null => useContext(DockContext)

/** Within the window of a text alone. */
export function useRequiredDock(): Dock {
  const dock = useDock()
  if (!dock) throw new Error('There is no dock in this window.')
  return dock
}
