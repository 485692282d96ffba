/**
 * Opens windows, each in a process of its own (W1). A page whose opener policy differs from the new one's may keep the handle, which
 * tells whether the browser let the window through: the policies part them. Two pages of one policy would share a process, so
 * `noopener` parts them; then there is no handle, and the click says it: a window that opens uses it up.
 */
import { randomId } from '../protocol/ids.ts'
import { hashOf } from './place.ts'
import type { Bounds } from './bounds.ts'
import { pathOf, type WindowState } from './window-state.ts'

export interface OpenOptions {
  /** Whose place it takes; a new one otherwise. */
  readonly place?: string | undefined
  readonly bounds?: Bounds | undefined
}

export type Opened = 'opened' | 'blocked'

/** As much of a browser window as is used here. */
export interface OpenerPowers {
  open(address: string, target: string, features: string): unknown
  /** A click, or a key, that has not been used up; undefined where the browser does not say. */
  hasClick(): boolean | undefined
  /** The path this page was loaded from: its policy came with it, wherever it has gone since. */
  readonly loadedFrom: string
}

/** Panel pages have `same-origin`, all others `same-origin-allow-popups`. */
const isPanelPage = (path: string): boolean => /^\/d\/[^/]+\/p\//.test(path)

export function openWindow(path: string, options: OpenOptions = {}, powers = thisPage()): Opened {
  const { place = randomId(), bounds } = options
  const address = path + hashOf(place)
  const features = ['popup', ...(bounds ? featuresOf(bounds) : [])]
  if (isPanelPage(path) !== isPanelPage(powers.loadedFrom))
    return powers.open(address, '_blank', features.join()) ? 'opened' : 'blocked'
  const clicked = powers.hasClick()
  powers.open(address, '_blank', ['noopener', ...features].join())
  if (clicked === undefined) return 'opened'
  return clicked && !powers.hasClick() ? 'opened' : 'blocked'
}

const featuresOf = (bounds: Bounds): string[] =>
  (['left', 'top', 'width', 'height'] as const).map((name) => `${name}=${Math.round(bounds[name])}`)

/** How a window of this person can be brought forward: by opening it anew in its place, or by a mark that asks for attention. */
export const canReopen = ({
  here,
  kind,
  popup,
}: Pick<WindowState, 'kind' | 'popup'> & { here: boolean }): boolean =>
  here && (popup || (kind !== 'text' && kind !== 'documents' && kind !== 'settings'))

/** Opens the window's page anew in its place; the former one closes itself once the new one is live. */
export const reopen = (window: WindowState, powers?: OpenerPowers): Opened =>
  openWindow(pathOf(window), { place: window.place, bounds: window.bounds }, powers)

function thisPage(): OpenerPowers {
  const [navigation] = performance.getEntriesByType('navigation')
  const userActivation = navigator.userActivation as UserActivation | undefined
  return {
    open: (address, target, features) => window.open(address, target, features),
    hasClick: () => userActivation?.isActive,
    loadedFrom: new URL(navigation?.name ?? location.href, location.href).pathname,
  }
}
