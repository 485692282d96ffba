'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { realClock } from '@/lib/session/clock.ts'
import { DetachedPanelWatch } from '@/lib/windows/detached-panel-watch.ts'
import { itemsOf, withoutWindow, type PanelLayout } from '@/lib/windows/panel-layout.ts'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { useOwnWindowEntries } from '@/components/windows/use-own-window-entries.ts'

export type PanelWindows = ReadonlyMap<PanelId, readonly OwnWindowEntry[]>

/** The windows that show panels of this document, on any device. */
function panelWindowsOf(entries: readonly OwnWindowEntry[], document: string): PanelWindows {
  const windowsByPanel = new Map<PanelId, OwnWindowEntry[]>()
  const latestFirst = entries.toSorted((a, b) => b.focusedAt - a.focusedAt)
  for (const entry of latestFirst)
    if (entry.document === document && isPanelId(entry.kind))
      windowsByPanel.set(entry.kind, [...(windowsByPanel.get(entry.kind) ?? []), entry])
  return windowsByPanel
}

interface DetachedPanels {
  readonly windows: PanelWindows
  readonly lostPanels: readonly PanelId[]
  /** Called when this window opens the panel's window. */
  expectWindow(panel: PanelId): void
}

/** Docks a panel that stood here once its window is gone. */
export function useDetachedPanels(
  document: string,
  layout: PanelLayout,
  updateLayout: (change: (layout: PanelLayout) => PanelLayout) => void,
): DetachedPanels {
  const entries = useOwnWindowEntries()
  const windows = useMemo(() => panelWindowsOf(entries, document), [entries, document])
  const [lostPanels, setLostPanels] = useState<readonly PanelId[]>([])
  const watch = useMemo(() => {
    const created: DetachedPanelWatch = new DetachedPanelWatch(realClock, {
      onWindowGone: (panel) => updateLayout((now) => withoutWindow(now, panel)),
      onChange: () => setLostPanels(created.lost),
    })
    return created
  }, [updateLayout])
  useEffect(() => () => watch.close(), [watch])
  useEffect(() => {
    const detached = itemsOf(layout).flatMap((item) => (item.detached ? [item.panel] : []))
    watch.update(detached, new Set(windows.keys()))
    // oxlint-disable-next-line react/set-state-in-effect -- it follows windows, which are no state of React's
    setLostPanels(watch.lost)
  }, [watch, layout, windows])
  const expectWindow = useCallback((panel: PanelId) => watch.expectWindow(panel), [watch])
  return { windows, lostPanels, expectWindow }
}
