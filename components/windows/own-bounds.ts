/** Where this window stands, and where windows of each kind stood last in this browser. */
import { readBounds, type Bounds } from '@/lib/windows/bounds.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'

const key = 'diptych.bounds'

/** As `window.open` takes them: the place of the window, the size of the page. */
export const ownBounds = (): Bounds => ({
  left: screenX,
  top: screenY,
  width: innerWidth,
  height: innerHeight,
})

/** Does nothing in a tab: only windows that a script has opened are moved. */
export function moveOwn({ left, top, width, height }: Bounds): void {
  moveTo(left, top)
  resizeTo(width + outerWidth - innerWidth, height + outerHeight - innerHeight)
}

/** Storage can be forbidden, and anybody may have written there. */
function stored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export const lastBounds = (kind: WindowKind): Bounds | undefined => readBounds(stored()[kind])

export function rememberBounds(kind: WindowKind, bounds: Bounds): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...stored(), [kind]: bounds }))
  } catch {
    // Then the next one stands beside the main window.
  }
}
