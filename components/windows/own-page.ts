/**
 * This page load as one of the person's windows: its register, its slot, and how it answers requests of other windows. Browser only; one
 * per page. Knows no React.
 */
import { create } from 'zustand'
import { randomId } from '@/lib/protocol/ids.ts'
import { realClock } from '@/lib/session/clock.ts'
import { browserWindowPlatform } from '@/lib/window-group/browser-window-platform.ts'
import { watchActivity } from '@/lib/windows/activity.ts'
import { deviceId, deviceName } from '@/lib/windows/device.ts'
import { prepareTakeover } from '@/lib/windows/slot-takeover.ts'
import {
  readWindowSlot,
  claimSlot,
  createSlot,
  withoutSlot,
  type SlotStorage,
} from '@/lib/windows/window-slot.ts'
import { WindowRegistry } from '@/lib/windows/window-registry.ts'
import type { WindowRequest } from '@/lib/windows/window-requests.ts'
import { moveOwnWindow, currentBounds, storeBounds } from './own-window-bounds.ts'
import { showTitleMark } from './window-title.ts'

/** Why this page no longer shows its document. */
export type WindowCloseReason = 'closed' | 'replaced'

export type OpenOffer = Extract<WindowRequest, { type: 'open' }>

interface PageState {
  /** Set if the page was asked to close and the browser did not allow it. */
  readonly closeReason: WindowCloseReason | null
  /** Documents and panels that other windows of the person sent here, for the person to open or not. */
  readonly offers: readonly OpenOffer[]
}

export const usePageState = create<PageState>(() => ({ closeReason: null, offers: [] }))

interface OwnPage {
  readonly registry: WindowRegistry
  /** Called once the page's content is on screen: the window whose slot it took can close. */
  onContentShown(): void
}

/** In ms. A page that the browser allows to close is gone by then. */
const CLOSE_TIMEOUT_MS = 500

let page: OwnPage | undefined

export const ownPage = (): OwnPage => (page ??= createOwnPage())

/** Even reading `sessionStorage` may throw. */
const storage: SlotStorage = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
}

function createOwnPage(): OwnPage {
  const platform = browserWindowPlatform()
  const slot = readWindowSlot(location.hash, storage)
  const hashWithoutSlot = withoutSlot(location.hash)
  if (hashWithoutSlot !== location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + hashWithoutSlot)
  const id = platform?.own.id ?? randomId()
  const device = { id: deviceId(() => localStorage), name: deviceName(navigator.userAgent) }
  const registry = new WindowRegistry(
    {
      id,
      place: slot.sure ? slot.id : id,
      kind: 'documents',
      document: null,
      title: '',
      device,
      bounds: currentBounds(),
      openedAt: performance.timeOrigin,
      focusedAt: document.hasFocus() ? Date.now() : 0,
      active: true,
      popup: slot.popup,
      linked: false,
    },
    platform,
  )
  if (platform) void claimSlot(platform.locks, slot, storage).then((place) => registry.updateOwn({ place }))
  registry.onRequest((request) => onWindowRequest(registry, request))
  watchActivity(window, realClock, (active) => registry.updateOwn({ active }))
  watchBounds(registry)
  addEventListener('pagehide', ({ persisted }) => persisted || registry.close())
  return { registry, onContentShown: slot.inherits ? prepareTakeover(registry) : () => {} }
}

/** No event reports that a window was moved; but a moved window has the focus, and loses it later. */
function watchBounds(registry: WindowRegistry): void {
  const updateBounds = (): void => {
    const { bounds } = registry.own
    registry.updateOwn({ bounds: currentBounds() })
    if (registry.own.bounds !== bounds && registry.own.bounds)
      storeBounds(registry.own.kind, registry.own.bounds)
  }
  for (const event of ['resize', 'blur', 'pagehide'] as const) addEventListener(event, updateBounds)
  addEventListener('focus', () => registry.updateOwn({ focusedAt: Date.now(), bounds: currentBounds() }))
}

function onWindowRequest(registry: WindowRegistry, request: WindowRequest): void {
  switch (request.type) {
    case 'close':
      return closeOwnPage(registry, 'closed')
    case 'replaced':
      return closeOwnPage(registry, 'replaced')
    case 'show':
      return showTitleMark()
    case 'move':
      return moveOwnWindow(request.bounds)
    case 'open':
      return usePageState.setState(({ offers }) => ({
        offers: [...offers.filter(isDifferentOffer(request)), request],
      }))
    default: // handled by windows that show a text
  }
}

const isDifferentOffer =
  ({ document, kind }: OpenOffer) =>
  (offer: OpenOffer): boolean =>
    offer.document !== document || offer.kind !== kind

/** Closes this page. A browser closes only what a script has opened; another page stays, and says where its content went. */
function closeOwnPage(registry: WindowRegistry, reason: WindowCloseReason): void {
  window.close()
  setTimeout(() => {
    registry.updateOwn({ place: createSlot(browserWindowPlatform()?.locks, storage) })
    registry.close()
    usePageState.setState({ closeReason: reason })
  }, CLOSE_TIMEOUT_MS)
}
