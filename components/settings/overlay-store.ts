/** Whether this window shows its delays over the text: off by default, and restored after a reload. */
import { create } from 'zustand'

export const overlayKeys = 'Mod+Alt+L'

const STORAGE_KEY = 'diptych.overlay'

interface OverlayState {
  readonly isShown: boolean
  /** True for all figures, false for one line; null for as much as there is room for. */
  readonly isExpanded: boolean | null
}

export const useOverlay = create<OverlayState>(() => ({ isShown: readIsShown(), isExpanded: null }))

export const setExpanded = (isExpanded: boolean): void => useOverlay.setState({ isExpanded })

export function toggleOverlay(): void {
  const isShown = !useOverlay.getState().isShown
  useOverlay.setState({ isShown })
  try {
    if (isShown) sessionStorage.setItem(STORAGE_KEY, 'shown')
    else sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Without storage, the choice holds until this page closes.
  }
}

function readIsShown(): boolean {
  try {
    return sessionStorage.getItem(STORAGE_KEY) === 'shown'
  } catch {
    return false
  }
}
