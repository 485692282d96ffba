/** The screens that are known: this one, and the others where the person allowed it. Asks for nothing by itself. */
import { create } from 'zustand'
import type { Bounds } from '@/lib/windows/bounds.ts'

/** As much of the Window Management API as is used here; TypeScript's own types lack it. */
interface ScreenDetails extends EventTarget {
  readonly screens: readonly (AvailableArea & { readonly label: string })[]
}

interface AvailableArea {
  readonly availLeft?: number
  readonly availTop?: number
  readonly availWidth: number
  readonly availHeight: number
}

export interface KnownScreen extends Bounds {
  readonly label: string
}

interface Screens {
  readonly known: readonly KnownScreen[]
  readonly state: 'unasked' | 'granted' | 'denied'
}

const boundsOf = ({ availLeft = 0, availTop = 0, availWidth, availHeight }: AvailableArea): Bounds => ({
  left: availLeft,
  top: availTop,
  width: availWidth,
  height: availHeight,
})

export const thisScreen = (): Bounds => boundsOf(screen)

/** There is more than one, which a page may know without asking. */
export const hasMoreScreens = (): boolean =>
  'isExtended' in screen && (screen as { isExtended?: boolean }).isExtended === true

export const canAskForScreens = (): boolean => 'getScreenDetails' in window

export const useScreens = create<Screens>(() => ({ known: [], state: 'unasked' }))

/** Asks the person, unless they have answered before. Only on a click. */
export async function askForScreens(): Promise<void> {
  const ask = (window as { getScreenDetails?: () => Promise<ScreenDetails> }).getScreenDetails
  if (!ask) return
  try {
    const details = await ask.call(window)
    const read = () =>
      useScreens.setState({
        state: 'granted',
        known: details.screens.map((area) => ({ ...boundsOf(area), label: area.label })),
      })
    read()
    details.addEventListener('screenschange', read)
  } catch {
    useScreens.setState({ state: 'denied' })
  }
}

/** Where they were allowed on an earlier visit, nobody is asked. */
export async function recallScreens(): Promise<void> {
  if (!canAskForScreens()) return
  try {
    const { state } = await navigator.permissions.query({ name: 'window-management' as PermissionName })
    if (state === 'granted') await askForScreens()
    if (state === 'denied') useScreens.setState({ state: 'denied' })
  } catch {
    // A browser that knows the API and not its permission's name.
  }
}
