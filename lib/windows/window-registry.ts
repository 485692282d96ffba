/**
 * Knows which windows one person has open (W3): on every device by the presence of their desk, which is the truth, and within this
 * browser at once. There is one for each page load. Knows no pages and no React.
 *
 *   this browser:  LocalWindows ─┐ newest n wins; a window that is gone here is gone
 *   all devices:   DeskWindows  ─┴─▶ entries        requests ──▶ by the same two
 */
import type { Awareness } from 'y-protocols/awareness'
import type { Clock } from '../session/clock.ts'
import { realClock } from '../session/clock.ts'
import type { WindowPlatform } from '../window-group/window-group.ts'
import { DeskWindows } from './desk-windows.ts'
import { LocalWindows } from './local-windows.ts'
import type { WindowRequest } from './window-requests.ts'
import type { WindowState } from './window-state.ts'
import { Subscribable } from '../subscribable.ts'

export interface OwnWindowEntry extends WindowState {
  readonly self: boolean
  /** Whether it is in this browser. */
  readonly sameBrowser: boolean
}

/** What a window reports of itself; the register counts `n`. */
export type OwnWindowUpdate = Partial<
  Omit<WindowState, 'id' | 'n' | 'device' | 'openedAt' | 'asks' | 'heard'>
>

type WindowRequestHandler = (what: WindowRequest, from: string) => void

export class WindowRegistry {
  readonly #platform: WindowPlatform | undefined
  readonly #clock: Clock
  readonly #listeners = new Subscribable()
  readonly #requestHandlers = new Set<WindowRequestHandler>()
  #own: WindowState
  #localWindows: LocalWindows | undefined
  #deskWindows: DeskWindows | undefined
  #entries: readonly OwnWindowEntry[] | undefined

  /** @param platform Undefined where a browser has no Web Locks: then only presence reports other windows. */
  constructor(
    own: Omit<WindowState, 'n' | 'asks' | 'heard'>,
    platform: WindowPlatform | undefined,
    clock: Clock = realClock,
  ) {
    this.#own = { ...own, n: 1 }
    this.#platform = platform
    this.#clock = clock
  }

  /** Joins the person's other windows in this browser. */
  joinBrowser(principal: string): void {
    if (this.#localWindows || !this.#platform) return
    this.#localWindows = new LocalWindows(this.#platform, principal, this.#handlers)
    this.#onDeskChange()
  }

  /** Joins those on other devices, through the presence of the person's desk. Returns a function that leaves them. */
  joinDesk(awareness: Awareness): () => void {
    this.#deskWindows?.close()
    const desk = new DeskWindows(awareness, this.#clock, {
      ...this.#handlers,
      onChange: () => this.#onDeskChange(),
    })
    this.#deskWindows = desk
    this.#onDeskChange()
    return () => {
      if (this.#deskWindows !== desk) return
      desk.close()
      this.#deskWindows = undefined
      this.#notifyListeners()
    }
  }

  /** This window first, then those of this browser, then other devices'; the same list until something changes. */
  get = (): readonly OwnWindowEntry[] => (this.#entries ??= this.#mergeEntries())

  get own(): OwnWindowEntry {
    return { ...this.#own, self: true, sameBrowser: true }
  }

  readonly subscribe = this.#listeners.subscribe

  updateOwn(update: OwnWindowUpdate): void {
    const previous: OwnWindowUpdate = this.#own
    const keys = Object.keys(update) as (keyof OwnWindowUpdate)[]
    if (keys.every((key) => isSame(previous[key], update[key]))) return
    this.#own = { ...this.#own, ...update, n: this.#own.n + 1 }
    this.#localWindows?.broadcastState()
    this.#deskWindows?.broadcastState()
    this.#notifyListeners()
  }

  /** The request may be to this window itself, so that callers need not care. */
  sendRequest(to: string, request: WindowRequest): void {
    if (to === this.#own.id) this.#handlers.onRequest(request, to)
    else if (this.#localWindows?.windows.has(to)) this.#localWindows.sendRequest(to, request)
    else this.#deskWindows?.sendRequest(to, request)
  }

  /** Every handler receives every request. Returns a function that unsubscribes. */
  onRequest(handler: WindowRequestHandler): () => void {
    this.#requestHandlers.add(handler)
    return () => this.#requestHandlers.delete(handler)
  }

  /** Takes this window out of the register, though its page may still be there. */
  close(): void {
    this.#localWindows?.close()
    this.#localWindows = undefined
    this.#deskWindows?.close()
    this.#deskWindows = undefined
    this.#notifyListeners()
  }

  readonly #handlers = {
    ownState: () => this.#own,
    onChange: () => this.#notifyListeners(),
    onRequest: (request: WindowRequest, from: string) => {
      for (const handler of this.#requestHandlers) handler(request, from)
    },
  }

  /** Presence may list a window of this browser that died without a message: its lock shows that. */
  #onDeskChange(): void {
    for (const { id, device } of this.#deskWindows?.windows ?? [])
      if (device.id === this.#own.device.id) this.#localWindows?.watchLock(id)
    this.#notifyListeners()
  }

  #notifyListeners(): void {
    this.#entries = undefined
    this.#listeners.notify()
  }

  #mergeEntries(): readonly OwnWindowEntry[] {
    const found = new Map<string, OwnWindowEntry>(
      [...(this.#localWindows?.windows ?? [])].map(([id, state]) => [
        id,
        { ...state, self: false, sameBrowser: true },
      ]),
    )
    for (const state of this.#deskWindows?.windows ?? []) {
      const existing = found.get(state.id)
      const sameBrowser = existing !== undefined || state.device.id === this.#own.device.id
      if (this.#localWindows?.isGone(state.id) || (existing && existing.n >= state.n)) continue
      found.set(state.id, { ...state, self: false, sameBrowser })
    }
    return [this.own, ...[...found.values()].toSorted(byNearness)]
  }
}

const byNearness = (a: OwnWindowEntry, b: OwnWindowEntry): number =>
  Number(b.sameBrowser) - Number(a.sameBrowser) ||
  a.device.name.localeCompare(b.device.name) ||
  a.device.id.localeCompare(b.device.id) ||
  b.focusedAt - a.focusedAt

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
