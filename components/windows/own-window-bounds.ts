/** Where this window stands, and where windows of each kind stood last in this browser. */
import { readWindowBounds, type WindowBounds } from '@/lib/windows/window-bounds.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'

const STORAGE_KEY = 'diptych.bounds'

/** As `window.open` takes them: the place of the window, the size of the page. */
export const currentBounds = (): WindowBounds => ({
  left: screenX,
  top: screenY,
  width: innerWidth,
  height: innerHeight,
})

/** Does nothing in a tab: only windows that a script has opened are moved. */
export function moveOwnWindow({ left, top, width, height }: WindowBounds): void {
  moveTo(left, top)
  resizeTo(width + outerWidth - innerWidth, height + outerHeight - innerHeight)
}

/** Storage can be forbidden, and anybody may have written there. */
function readStoredBounds(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export const lastBoundsOf = (kind: WindowKind): WindowBounds | undefined =>
  readWindowBounds(readStoredBounds()[kind])

export function storeBounds(kind: WindowKind, bounds: WindowBounds): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ ...readStoredBounds(), [kind]: bounds }))
  } catch {
    // Then the next one stands beside the main window.
  }
}
