/**
 * Opens windows, each in a process of its own (W1). Where the opener policies of both pages differ, they separate the processes, and this
 * page may keep the handle, which shows whether the browser allowed the window. Two pages with the same policy would share a process, so
 * `noopener` separates them. Then there is no handle, but the click shows it: a window that opens uses the click up.
 */
import { randomId } from '../protocol/ids.ts'
import { slotHashOf } from './window-slot.ts'
import type { WindowBounds } from './window-bounds.ts'
import { windowPathOf, type WindowState } from './window-state.ts'

export interface OpenWindowOptions {
  /** The slot that it takes over; a new one by default. */
  readonly slotId?: string | undefined
  readonly bounds?: WindowBounds | undefined
}

export type OpenOutcome = 'opened' | 'blocked'

/** The part of a browser window that is used here. */
export interface OpenerPlatform {
  open(address: string, target: string, features: string): unknown
  /** Whether there is a click, or a key, that has not been used up; undefined where the browser does not say. */
  hasClick(): boolean | undefined
  /** The path this page was loaded from: its policy came with it, wherever the page has gone since. */
  readonly loadedFrom: string
}

/** Panel pages have `same-origin`, all others `same-origin-allow-popups`. */
const isPanelPage = (path: string): boolean => /^\/d\/[^/]+\/p\//.test(path)

export function openWindow(
  path: string,
  options: OpenWindowOptions = {},
  platform = pageOpener(),
): OpenOutcome {
  const { slotId = randomId(), bounds } = options
  const address = path + slotHashOf(slotId)
  const features = ['popup', ...(bounds ? windowFeaturesOf(bounds) : [])]
  if (isPanelPage(path) !== isPanelPage(platform.loadedFrom))
    return platform.open(address, '_blank', features.join()) ? 'opened' : 'blocked'
  const clicked = platform.hasClick()
  platform.open(address, '_blank', ['noopener', ...features].join())
  if (clicked === undefined) return 'opened'
  return clicked && !platform.hasClick() ? 'opened' : 'blocked'
}

const windowFeaturesOf = (bounds: WindowBounds): string[] =>
  (['left', 'top', 'width', 'height'] as const).map((name) => `${name}=${Math.round(bounds[name])}`)

/** Whether a window of this person can be brought forward by reopening it in its slot. Others get a mark that asks for attention. */
export const canReopen = ({
  sameBrowser,
  kind,
  popup,
}: Pick<WindowState, 'kind' | 'popup'> & { sameBrowser: boolean }): boolean =>
  sameBrowser && (popup || (kind !== 'text' && kind !== 'documents' && kind !== 'settings'))

/** Opens the window's page anew in its slot; the former one closes itself once the new one is live. */
export const reopenWindow = (window: WindowState, platform?: OpenerPlatform): OpenOutcome =>
  openWindow(windowPathOf(window), { slotId: window.place, bounds: window.bounds }, platform)

function pageOpener(): OpenerPlatform {
  const [navigation] = performance.getEntriesByType('navigation')
  const userActivation = navigator.userActivation as UserActivation | undefined
  return {
    open: (address, target, features) => window.open(address, target, features),
    hasClick: () => userActivation?.isActive,
    loadedFrom: new URL(navigation?.name ?? location.href, location.href).pathname,
  }
}
