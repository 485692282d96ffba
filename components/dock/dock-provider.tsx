'use client'

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import {
  itemOf,
  itemsOf,
  withDetached,
  withItem,
  withoutPanel,
  withPanel,
  type PanelLayout,
} from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { openNewWindow, showOwnWindow } from '@/components/windows/open-windows.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { DockContext, type Dock } from './dock.ts'
import { focusPanel } from '@/components/panels/panel-focus.ts'
import { LayoutStore, type LayoutMirror } from './layout-store.ts'
import { useDetachedPanels } from './use-detached-panels.ts'
import { useDockCommands } from './use-dock-commands.ts'
import { usePanelCommandRouting } from './use-panel-command-routing.ts'
import { useHasColumns } from '@/components/ui/use-has-columns.ts'

/** Even reading `localStorage` may throw. */
const layoutMirror: LayoutMirror = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
}

interface DockProviderProps {
  readonly document: OpenedDocumentProps
  readonly children: ReactNode
}

export function DockProvider({ document, children }: DockProviderProps) {
  const dock = useCreateDock(document)
  useDockCommands(dock)
  usePanelCommandRouting(dock)
  useEffect(() => {
    const { registry } = ownPage()
    return registry.onRequest((request, from) => {
      if (request.type === 'dock') dock.bringPanelBack(request.panel, from)
    })
  }, [dock])
  return <DockContext value={dock}>{children}</DockContext>
}

function useCreateDock(document: OpenedDocumentProps): Dock {
  const { id, opened } = document
  const store = useMemo(() => new LayoutStore(id, opened.desk, layoutMirror), [id, opened])
  const layout = useSyncExternalStore(store.subscribe, store.get, store.get)
  const updateLayout = useCallback((run: (now: PanelLayout) => PanelLayout) => store.update(run), [store])
  const hasColumns = useHasColumns()
  const [sheetPanel, setSheetPanel] = useState<PanelId | null>(null)
  const { windows, lostPanels, expectWindow } = useDetachedPanels(id, layout, updateLayout)

  return useMemo(() => {
    const windowsOf = (panel: PanelId) => windows.get(panel) ?? []
    const dockPanel = (panel: PanelId) => updateLayout((now) => withItem(now, panel, { detached: false }))
    return {
      document,
      layout,
      hasColumns,
      sheetPanel: hasColumns ? null : sheetPanel,
      lostPanels,
      windowsOf,
      updateLayout,
      isPanelShown: (panel) => (hasColumns ? itemOf(layout, panel) !== undefined : sheetPanel === panel),
      showPanel(panel) {
        const [window] = windowsOf(panel)
        if (itemOf(layout, panel)?.detached && window) return void showOwnWindow(window)
        if (!hasColumns) setSheetPanel(panel)
        else updateLayout((now) => withItem(withPanel(now, panel), panel, { detached: false }))
        focusPanel(panel)
      },
      togglePanel(panel) {
        const isVisible = hasColumns ? itemOf(layout, panel) !== undefined : sheetPanel === panel
        if (!hasColumns) setSheetPanel(isVisible ? null : panel)
        else updateLayout((now) => (isVisible ? withoutPanel(now, panel) : withPanel(now, panel)))
      },
      closePanel(panel) {
        setSheetPanel(null)
        if (hasColumns) updateLayout((now) => withoutPanel(now, panel))
      },
      detachPanel(panel) {
        if (openNewWindow({ document: id, kind: panel }) === 'blocked') return
        expectWindow(panel)
        setSheetPanel(null)
        updateLayout((now) => withDetached(now, panel))
      },
      openWindowsOf(panels) {
        for (const [index, panel] of panels.entries())
          if (openNewWindow({ document: id, kind: panel }, index === 0) !== 'blocked') expectWindow(panel)
      },
      bringPanelBack(panel, from) {
        const ids = new Set(windowsOf(panel).map((window) => window.id))
        if (from !== undefined) ids.add(from)
        for (const id of ids) ownPage().registry.sendRequest(id, { type: 'close' })
        dockPanel(panel)
        focusPanel(panel)
      },
      dockLostPanels() {
        for (const { panel } of itemsOf(layout)) if (lostPanels.includes(panel)) dockPanel(panel)
      },
    }
  }, [document, id, layout, updateLayout, hasColumns, sheetPanel, windows, lostPanels, expectWindow])
}
