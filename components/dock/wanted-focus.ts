/** Which panel a person has just asked for: it gets the keyboard, at once or when it comes on screen. */
import type { PanelId } from '@/lib/windows/panels.ts'

export const regionId = (panel: PanelId): string => `panel-${panel}`

let wanted: PanelId | null = null

export function giveFocus(panel: PanelId): void {
  const region = document.getElementById(regionId(panel))
  wanted = region ? null : panel
  region?.focus()
}

/** True once, for the panel that waits for it. */
export function takesFocus(panel: PanelId): boolean {
  if (wanted !== panel) return false
  wanted = null
  return true
}
