/** The screens that are known: this one, and the others where the person allowed it. Asks for nothing by itself. */
import { create } from 'zustand'
import type { WindowBounds } from '@/lib/windows/window-bounds.ts'

/** As much of the Window Management API as is used here; TypeScript's own types lack it. */
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

/** There is more than one, which a page may know without asking. */
export const hasMoreScreens = (): boolean =>
  'isExtended' in screen && (screen as { isExtended?: boolean }).isExtended === true

export const canRequestScreens = (): boolean => 'getScreenDetails' in window

export const useScreens = create<ScreensState>(() => ({ screens: [], state: 'unasked' }))

/** Asks the person, unless they have answered before. Only on a click. */
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

/** Where they were allowed on an earlier visit, nobody is asked. */
export async function restoreGrantedScreens(): Promise<void> {
  if (!canRequestScreens()) return
  try {
    const { state } = await navigator.permissions.query({ name: 'window-management' as PermissionName })
    if (state === 'granted') await requestScreens()
    if (state === 'denied') useScreens.setState({ state: 'denied' })
  } catch {
    // A browser that knows the API and not its permission's name.
  }
}
