/** Whether this window shows its delays over the text: off until somebody asks, and as it was after a reload. */
import { create } from 'zustand'

export const overlayKeys = 'Mod+Alt+L'

const key = 'diptych.overlay'

interface OverlayState {
  readonly isShown: boolean
  /** All figures rather than one line; null: as much as there is room for. */
  readonly isWhole: boolean | null
}

export const useOverlay = create<OverlayState>(() => ({ isShown: wasShown(), isWhole: null }))

export const showWhole = (isWhole: boolean): void => useOverlay.setState({ isWhole })

export function toggleOverlay(): void {
  const isShown = !useOverlay.getState().isShown
  useOverlay.setState({ isShown })
  try {
    if (isShown) sessionStorage.setItem(key, 'shown')
    else sessionStorage.removeItem(key)
  } catch {
    // Storage can be forbidden: then it holds until this page goes.
  }
}

function wasShown(): boolean {
  try {
    return sessionStorage.getItem(key) === 'shown'
  } catch {
    return false
  }
}
