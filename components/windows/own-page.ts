/**
 * This page load as one of the person's windows: its register, where it stands, and what it does when another window asks. Browser
 * only; one a page. Knows no React.
 */
import { create } from 'zustand'
import { randomId } from '@/lib/protocol/ids.ts'
import { realClock } from '@/lib/session/clock.ts'
import { browserNeighbours } from '@/lib/sync/browser-window.ts'
import { watchInput } from '@/lib/windows/activity.ts'
import { deviceId, deviceName } from '@/lib/windows/device.ts'
import { relieving } from '@/lib/windows/relieving.ts'
import { arrive, claim, newPlace, withoutPlace, type PlaceStorage } from '@/lib/windows/place.ts'
import { Register } from '@/lib/windows/register.ts'
import type { Request } from '@/lib/windows/requests.ts'
import { moveOwn, ownBounds, rememberBounds } from './own-bounds.ts'
import { markTitle } from './window-title.ts'

/** Why this page shows its document no longer. */
export type Left = 'closed' | 'replaced'

export type Offer = Extract<Request, { type: 'open' }>

interface PageState {
  /** Asked to close, and not allowed to by the browser. */
  readonly left: Left | null
  /** Sent here by other windows of the person, to be opened or not. */
  readonly offers: readonly Offer[]
}

export const usePageState = create<PageState>(() => ({ left: null, offers: [] }))

interface OwnPage {
  readonly register: Register
  /** What this page was opened for is on screen: the window whose place it took can go. */
  settle(): void
}

/** A page that the browser lets close is gone by then. In ms. */
const CLOSING_MS = 500

let page: OwnPage | undefined

export const ownPage = (): OwnPage => (page ??= start())

/** Reading the property alone may throw. */
const storage: PlaceStorage = {
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
}

function start(): OwnPage {
  const powers = browserNeighbours()
  const arrival = arrive(location.hash, storage)
  const rest = withoutPlace(location.hash)
  if (rest !== location.hash)
    history.replaceState(history.state, '', location.pathname + location.search + rest)
  const id = powers?.own.id ?? randomId()
  const device = { id: deviceId(() => localStorage), name: deviceName(navigator.userAgent) }
  const register = new Register(
    {
      id,
      place: arrival.sure ? arrival.place : id,
      kind: 'documents',
      document: null,
      title: '',
      device,
      bounds: ownBounds(),
      openedAt: performance.timeOrigin,
      focusedAt: document.hasFocus() ? Date.now() : 0,
      active: true,
      popup: arrival.popup,
      linked: false,
    },
    powers,
  )
  if (powers) void claim(powers.locks, arrival, storage).then((place) => register.tell({ place }))
  register.onAsked((what) => answer(register, what))
  watchInput(window, realClock, (active) => register.tell({ active }))
  watchPlace(register)
  addEventListener('pagehide', ({ persisted }) => persisted || register.close())
  return { register, settle: arrival.inherits ? relieving(register) : () => {} }
}

/** There is no event for a window that is moved: but it has the focus then, and loses it later. */
function watchPlace(register: Register): void {
  const look = (): void => {
    const { bounds } = register.own
    register.tell({ bounds: ownBounds() })
    if (register.own.bounds !== bounds && register.own.bounds)
      rememberBounds(register.own.kind, register.own.bounds)
  }
  for (const event of ['resize', 'blur', 'pagehide'] as const) addEventListener(event, look)
  addEventListener('focus', () => register.tell({ focusedAt: Date.now(), bounds: ownBounds() }))
}

function answer(register: Register, what: Request): void {
  switch (what.type) {
    case 'close':
      return leave(register, 'closed')
    case 'replaced':
      return leave(register, 'replaced')
    case 'show':
      return markTitle()
    case 'move':
      return moveOwn(what.bounds)
    case 'open':
      return usePageState.setState(({ offers }) => ({ offers: [...offers.filter(isOther(what)), what] }))
    default: // of those that know the text
  }
}

const isOther =
  ({ document, kind }: Offer) =>
  (offer: Offer): boolean =>
    offer.document !== document || offer.kind !== kind

/** A browser closes what a script has opened. What a person has opened stays, and says where its content went. */
function leave(register: Register, why: Left): void {
  window.close()
  setTimeout(() => {
    register.tell({ place: newPlace(browserNeighbours()?.locks, storage) })
    register.close()
    usePageState.setState({ left: why })
  }, CLOSING_MS)
}
