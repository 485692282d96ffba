/** The known screens: this one, and the others if the person allowed it. Asks for no permission by itself. */
import { create } from 'zustand'
import type { WindowBounds } from '@/lib/windows/window-bounds.ts'

/** The part of the Window Management API that is used here; TypeScript's own types lack it. */
interface BrowserScreenDetails extends EventTarget {
  readonly screens: readonly (AvailableArea & { readonly label: string })[]
}

interface AvailableArea {
  readonly availLeft?: number
  readonly availTop?: number
  readonly availWidth: number
  readonly availHeight: number
}

export interface AvailableScreen extends WindowBounds {
  readonly label: string
}

interface ScreensState {
  readonly screens: readonly AvailableScreen[]
  readonly state: 'unasked' | 'granted' | 'denied'
}

const screenBoundsOf = ({
  availLeft = 0,
  availTop = 0,
  availWidth,
  availHeight,
}: AvailableArea): WindowBounds => ({
  left: availLeft,
  top: availTop,
  width: availWidth,
  height: availHeight,
})

export const currentScreenBounds = (): WindowBounds => screenBoundsOf(screen)

/** Whether there is more than one screen, which a page may know without permission. */
export const hasMoreScreens = (): boolean =>
  'isExtended' in screen && (screen as { isExtended?: boolean }).isExtended === true

export const canRequestScreens = (): boolean => 'getScreenDetails' in window

export const useScreens = create<ScreensState>(() => ({ screens: [], state: 'unasked' }))

/** Asks the person for permission, unless they have answered before. Only on a click. */
export async function requestScreens(): Promise<void> {
  const getScreenDetails = (window as { getScreenDetails?: () => Promise<BrowserScreenDetails> })
    .getScreenDetails
  if (!getScreenDetails) return
  try {
    const details = await getScreenDetails.call(window)
    const update = () =>
      useScreens.setState({
        state: 'granted',
        screens: details.screens.map((area) => ({ ...screenBoundsOf(area), label: area.label })),
      })
    update()
    details.addEventListener('screenschange', update)
  } catch {
    useScreens.setState({ state: 'denied' })
  }
}

/** Reads the screens without asking if they were allowed on an earlier visit. */
export async function restoreGrantedScreens(): Promise<void> {
  if (!canRequestScreens()) return
  try {
    const { state } = await navigator.permissions.query({ name: 'window-management' as PermissionName })
    if (state === 'granted') await requestScreens()
    if (state === 'denied') useScreens.setState({ state: 'denied' })
  } catch {
    // The browser knows the API but not the name of its permission.
  }
}
