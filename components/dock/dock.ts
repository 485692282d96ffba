'use client'

import { createContext, useContext } from 'react'
import type { PanelLayout } from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'

/** The actions for the panels beside a text. */
export interface Dock {
  readonly document: OpenedDocumentProps
  readonly layout: PanelLayout
  /** The window is wide enough for columns. Otherwise one panel at a time covers the text. */
  readonly hasColumns: boolean
  /** The panel that covers the text. */
  readonly sheetPanel: PanelId | null
  /** Panels that were detached on an earlier visit and are in no window now. */
  readonly lostPanels: readonly PanelId[]
  /** The windows that show this panel of the document, the one used last first. */
  windowsOf(panel: PanelId): readonly OwnWindowEntry[]
  isPanelShown(panel: PanelId): boolean
  /** Opens the panel beside the text, or brings its window forward. A panel that a person asked for gets the focus. */
  showPanel(panel: PanelId): void
  /** For a menu, which keeps the focus. */
  togglePanel(panel: PanelId): void
  closePanel(panel: PanelId): void
  /** Moves the panel into a window of its own. Must be called during a click. */
  detachPanel(panel: PanelId): void
  /** Opens windows for panels that the layout already has as detached. The browser may block all but the first. */
  openWindowsOf(panels: readonly PanelId[]): void
  /** @param from The window that asks for it, which closes also if this one has not heard of it yet. */
  bringPanelBack(panel: PanelId, from?: string): void
  /** Docks all lost panels. */
  dockLostPanels(): void
  updateLayout(change: (layout: PanelLayout) => PanelLayout): void
}

export const DockContext = createContext<Dock | null>(null)

/** Null in a window without a text. */
export const useDock = (): Dock | null => useContext(DockContext)

/** Only for components within a text's window. */
export function useRequiredDock(): Dock {
  const dock = useDock()
  if (!dock) throw new Error('There is no dock in this window.')
  return dock
}
