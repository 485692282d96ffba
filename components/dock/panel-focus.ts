/** Remembers which panel a person has just asked for: it gets the focus at once, or when it comes on screen. */
import type { PanelId } from '@/lib/windows/panels.ts'

export const regionId = (panel: PanelId): string => `panel-${panel}`

let pendingPanel: PanelId | null = null

export function focusPanel(panel: PanelId): void {
  const region = document.getElementById(regionId(panel))
  pendingPanel = region ? null : panel
  region?.focus()
}

/** Returns true once, for the panel that waits for the focus. */
export function takePendingFocus(panel: PanelId): boolean {
  if (pendingPanel !== panel) return false
  pendingPanel = null
  return true
}
