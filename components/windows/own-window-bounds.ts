/** Where this window is, and the last bounds of each kind of window in this browser. */
import { fieldsOf } from '@/lib/protocol/value-reader.ts'
import { readWindowBounds, type WindowBounds } from '@/lib/windows/window-bounds.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'

const STORAGE_KEY = 'diptych.bounds'

/** In the units of `window.open`: the position of the window, the size of the page. */
export const currentBounds = (): WindowBounds => ({
  left: screenX,
  top: screenY,
  width: innerWidth,
  height: innerHeight,
})

/** Moves this window. Does nothing in a tab, because only windows opened by a script are moved. */
export function moveOwnWindow({ left, top, width, height }: WindowBounds): void {
  moveTo(left, top)
  resizeTo(width + outerWidth - innerWidth, height + outerHeight - innerHeight)
}

/** Storage may be blocked, and its content is untrusted. */
function readStoredBounds(): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}'))
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
    // Without storage, the next one opens beside the main window.
  }
}
