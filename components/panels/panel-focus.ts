/** Remembers which panel a person has just asked for: it gets the focus at once, or when it comes on screen. */
import type { PanelId } from '@/lib/windows/panels.ts'

export const regionId = (panel: PanelId): string => `panel-${panel}`

let pendingPanel: PanelId | null = null

const listeners = new Set<(panel: PanelId) => void>()

/** Calls `listener` with a panel that is to get the focus and is not on screen. Returns a function that unsubscribes. */
export function subscribeToPendingPanel(listener: (panel: PanelId) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function focusPanel(panel: PanelId): void {
  const region = document.getElementById(regionId(panel))
  pendingPanel = region ? null : panel
  // A part of the panel may have the focus already: the field of Find.
  if (!region?.contains(document.activeElement)) region?.focus()
  if (!region) for (const listener of listeners) listener(panel)
}

/** Returns true once, for the panel that waits for the focus. */
export function takePendingFocus(panel: PanelId): boolean {
  if (pendingPanel !== panel) return false
  pendingPanel = null
  return true
}
