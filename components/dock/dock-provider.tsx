'use client'

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import {
  itemOf,
  itemsOf,
  withDetached,
  withItem,
  withoutPanel,
  withPanel,
  type Layout,
} from '@/lib/windows/layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Opened } from '@/components/opening/opened'
import { openOwn, showOwn } from '@/components/windows/open'
import { ownPage } from '@/components/windows/own-page'
import { DockContext, type Dock } from './dock'
import { giveFocus } from './wanted-focus'
import { LayoutStore, type MirrorLike } from './layout-store'
import { useDetached } from './use-detached'
import { useDockCommands } from './use-dock-commands'
import { useReveal } from './use-reveal'
import { useWide } from './use-wide'

/** Reading the property alone may throw. */
const mirror: MirrorLike = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
}

interface DockProviderProps {
  readonly document: Opened
  readonly children: ReactNode
}

export function DockProvider({ document, children }: DockProviderProps) {
  const dock = useMadeDock(document)
  useDockCommands(dock)
  useReveal(dock)
  useEffect(() => {
    const { register } = ownPage()
    return register.onAsked((what) => {
      if (what.type === 'dock') dock.bringBack(what.panel)
    })
  }, [dock])
  return <DockContext value={dock}>{children}</DockContext>
}

function useMadeDock(document: Opened): Dock {
  const { id, opened } = document
  const store = useMemo(() => new LayoutStore(id, opened.desk, mirror), [id, opened])
  const layout = useSyncExternalStore(store.subscribe, store.get, store.get)
  const change = useCallback((run: (now: Layout) => Layout) => store.update(run), [store])
  const isWide = useWide()
  const [sheet, setSheet] = useState<PanelId | null>(null)
  const { windows, lost, expect } = useDetached(id, layout, change)

  return useMemo(() => {
    const windowsOf = (panel: PanelId) => windows.get(panel) ?? []
    const dockAgain = (panel: PanelId) => change((now) => withItem(now, panel, { detached: false }))
    return {
      document,
      layout,
      isWide,
      sheet: isWide ? null : sheet,
      lost,
      windowsOf,
      change,
      isShown: (panel) => (isWide ? itemOf(layout, panel) !== undefined : sheet === panel),
      show(panel) {
        const [window] = windowsOf(panel)
        if (itemOf(layout, panel)?.detached && window) return void showOwn(window)
        if (!isWide) setSheet(panel)
        else change((now) => withItem(withPanel(now, panel), panel, { detached: false }))
        giveFocus(panel)
      },
      toggle(panel) {
        const isThere = isWide ? itemOf(layout, panel) !== undefined : sheet === panel
        if (!isWide) setSheet(isThere ? null : panel)
        else change((now) => (isThere ? withoutPanel(now, panel) : withPanel(now, panel)))
      },
      close(panel) {
        setSheet(null)
        if (isWide) change((now) => withoutPanel(now, panel))
      },
      detach(panel) {
        if (openOwn({ document: id, kind: panel }) === 'blocked') return
        expect(panel)
        setSheet(null)
        change((now) => withDetached(now, panel))
      },
      bringBack(panel) {
        for (const window of windowsOf(panel)) ownPage().register.ask(window.id, { type: 'close' })
        dockAgain(panel)
        giveFocus(panel)
      },
      dockLost() {
        for (const { panel } of itemsOf(layout)) if (lost.includes(panel)) dockAgain(panel)
      },
    }
  }, [document, id, layout, change, isWide, sheet, windows, lost, expect])
}
