/**
 * Knows the windows of one person on all devices, by the presence of their desk. A request to another device stays in the sender's state
 * until the addressed window lists it as received, is gone, or a minute has passed. Knows only presence and a clock.
 */
import type { Awareness } from 'y-protocols/awareness'
import { randomId } from '../protocol/ids.ts'
import type { Clock } from '../session/clock.ts'
import type { AddressedRequest, WindowRequest } from './window-requests.ts'
import { MAX_STATE_TEXT, readWindowState, type WindowState } from './window-state.ts'

/** A tablet that wakes up tomorrow must not do what was wanted today. In ms. */
const REQUEST_LIFETIME_MS = 60_000

interface DeskWindowsHandlers {
  ownState(): WindowState
  onChange(): void
  onRequest(request: WindowRequest, from: string): void
}

export class DeskWindows {
  readonly #awareness: Awareness
  readonly #clock: Clock
  readonly #handlers: DeskWindowsHandlers
  readonly #pendingRequests = new Map<
    string,
    { readonly request: AddressedRequest; readonly forget: () => void }
  >()
  /** All requests that were ever handled here: presence repeats itself. */
  readonly #handledRequests = new Set<string>()
  #acknowledgedRequests: readonly string[] = []
  #windows: readonly WindowState[] = []

  constructor(awareness: Awareness, clock: Clock, handlers: DeskWindowsHandlers) {
    this.#awareness = awareness
    this.#clock = clock
    this.#handlers = handlers
    awareness.on('change', this.#onPresence)
    this.#onPresence()
    this.broadcastState()
  }

  /** The windows without this one. */
  get windows(): readonly WindowState[] {
    return this.#windows
  }

  broadcastState(): void {
    const own = this.#handlers.ownState()
    const window = {
      ...own,
      // The server leaves out what is far longer (W8).
      title: own.title.slice(0, MAX_STATE_TEXT),
      asks: [...this.#pendingRequests.values()].map(({ request }) => request),
      heard: this.#acknowledgedRequests,
    }
    this.#awareness.setLocalState({ ...this.#awareness.getLocalState(), window })
  }

  sendRequest(to: string, what: WindowRequest): void {
    const addressed: AddressedRequest = { id: randomId(), to, what }
    const forget = this.#clock.after(REQUEST_LIFETIME_MS, () => this.#dropRequests([addressed.id]))
    this.#pendingRequests.set(addressed.id, { request: addressed, forget })
    this.broadcastState()
  }

  close(): void {
    this.#awareness.off('change', this.#onPresence)
    for (const { forget } of this.#pendingRequests.values()) forget()
    this.#pendingRequests.clear()
    const { window: _window, ...rest } = this.#awareness.getLocalState() ?? {}
    this.#awareness.setLocalState(rest)
  }

  readonly #onPresence = (): void => {
    const own = this.#handlers.ownState().id
    const all = [...this.#awareness.getStates().values()].map(({ window }) => readWindowState(window))
    this.#windows = all.filter((window) => window !== undefined && window.id !== own) as WindowState[]
    this.#receiveRequests(own)
    this.#dropAcknowledged()
    this.#handlers.onChange()
  }

  #receiveRequests(own: string): void {
    const allRequests = this.#windows.flatMap(({ id: from, asks = [] }) =>
      asks.map((request) => ({ ...request, from })),
    )
    const ownRequests = allRequests.filter(({ to }) => to === own)
    const ids = ownRequests.map(({ id }) => id)
    const isNew = ids.some((id) => !this.#acknowledgedRequests.includes(id))
    this.#acknowledgedRequests = ids
    if (isNew) this.broadcastState()
    for (const { id, what, from } of ownRequests) {
      if (this.#handledRequests.has(id)) continue
      this.#handledRequests.add(id)
      this.#handlers.onRequest(what, from)
    }
  }

  #dropAcknowledged(): void {
    const acknowledged = [...this.#pendingRequests.values()].filter(({ request: { id, to } }) => {
      const target = this.#windows.find((window) => window.id === to)
      return !target || target.heard?.includes(id)
    })
    this.#dropRequests(acknowledged.map(({ request }) => request.id))
  }

  #dropRequests(ids: readonly string[]): void {
    for (const id of ids) {
      this.#pendingRequests.get(id)?.forget()
      this.#pendingRequests.delete(id)
    }
    if (ids.length > 0) this.broadcastState()
  }
}
