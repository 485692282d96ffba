'use client'

import { useCallback, useEffect, useMemo, useState } from 'react'
import { realClock } from '@/lib/session/clock.ts'
import { DetachedWatch } from '@/lib/windows/detached.ts'
import { itemsOf, withoutWindow, type Layout } from '@/lib/windows/layout.ts'
import { isPanelId, type PanelId } from '@/lib/windows/panels.ts'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { useRegister } from '@/components/windows/use-register'

export type PanelWindows = ReadonlyMap<PanelId, readonly OwnWindowEntry[]>

/** The windows in which panels of this document stand, on whatever device. */
function panelWindows(entries: readonly OwnWindowEntry[], document: string): PanelWindows {
  const found = new Map<PanelId, OwnWindowEntry[]>()
  const latestFirst = entries.toSorted((a, b) => b.focusedAt - a.focusedAt)
  for (const entry of latestFirst)
    if (entry.document === document && isPanelId(entry.kind))
      found.set(entry.kind, [...(found.get(entry.kind) ?? []), entry])
  return found
}

interface Detached {
  readonly windows: PanelWindows
  readonly lost: readonly PanelId[]
  /** This window opens it now. */
  expect(panel: PanelId): void
}

/** Docks what stood here once its window is gone. */
export function useDetached(
  document: string,
  layout: Layout,
  change: (change: (layout: Layout) => Layout) => void,
): Detached {
  const entries = useRegister()
  const windows = useMemo(() => panelWindows(entries, document), [entries, document])
  const [lost, setLost] = useState<readonly PanelId[]>([])
  const watch = useMemo(() => {
    const made: DetachedWatch = new DetachedWatch(realClock, {
      onGone: (panel) => change((now) => withoutWindow(now, panel)),
      onChange: () => setLost(made.lost),
    })
    return made
  }, [change])
  useEffect(() => () => watch.close(), [watch])
  useEffect(() => {
    const detached = itemsOf(layout).flatMap((item) => (item.detached ? [item.panel] : []))
    watch.update(detached, new Set(windows.keys()))
    // oxlint-disable-next-line react/set-state-in-effect -- it follows windows, which are no state of React's
    setLost(watch.lost)
  }, [watch, layout, windows])
  const expect = useCallback((panel: PanelId) => watch.expect(panel), [watch])
  return { windows, lost, expect }
}
