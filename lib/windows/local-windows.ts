/**
 * Exchanges states and requests at once between the windows of one person in this browser.
 *
 *   newcomer: hello ──▶ everybody: here          then: state, ask … bye
 *
 * A window's lock shows when it is gone without a message. Knows a broadcast channel and locks; does not know presence.
 */
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import { type NeighbourPlatform } from '../sync/neighbour-windows.ts'
import { onWindowGone } from '../sync/window-lock.ts'
import { type WindowRequest, readWindowRequest } from './window-requests.ts'
import { readWindowState, type WindowState } from './window-state.ts'

interface LocalWindowsHandlers {
  ownState(): WindowState
  onChange(): void
  onRequest(request: WindowRequest, from: string): void
}

type LocalWindowMessage =
  | { readonly type: 'hello' | 'state'; readonly state: WindowState }
  | { readonly type: 'here'; readonly state: WindowState; readonly to: string }
  | { readonly type: 'ask'; readonly what: WindowRequest; readonly from: string; readonly to: string }
  | { readonly type: 'bye'; readonly from: string }

export class LocalWindows {
  readonly #platform: NeighbourPlatform
  readonly #handlers: LocalWindowsHandlers
  readonly #windows = new Map<string, WindowState>()
  readonly #gone = new Set<string>()
  readonly #watchedLocks = new Map<string, () => void>()
  #channel: BroadcastChannelLike | null = null
  #closed = false

  constructor(platform: NeighbourPlatform, principal: string, handlers: LocalWindowsHandlers) {
    this.#platform = platform
    this.#handlers = handlers
    platform.own.whenHeld.then(
      () => this.#openChannel(principal),
      () => {}, // without its lock the others would take it for gone
    )
  }

  get windows(): ReadonlyMap<string, WindowState> {
    return this.#windows
  }

  /** Whether it said goodbye, or its lock is free. This counts even if presence still lists it. */
  isGone(id: string): boolean {
    return this.#gone.has(id)
  }

  /** Notices the end of a window, even of one in this browser that never sent anything here. */
  watchLock(id: string): void {
    if (this.#closed || this.#watchedLocks.has(id) || this.#gone.has(id)) return
    this.#watchedLocks.set(
      id,
      onWindowGone(this.#platform.locks, id, () => this.#onWindowGone(id)),
    )
  }

  broadcastState(): void {
    this.#broadcast({ type: 'state', state: this.#handlers.ownState() })
  }

  sendRequest(to: string, what: WindowRequest): void {
    this.#broadcast({ type: 'ask', what, from: this.#platform.own.id, to })
  }

  close(): void {
    if (this.#closed) return
    this.#broadcast({ type: 'bye', from: this.#platform.own.id })
    this.#closed = true
    this.#channel?.close()
    for (const stop of this.#watchedLocks.values()) stop()
    this.#watchedLocks.clear()
    this.#windows.clear()
  }

  #openChannel(principal: string): void {
    if (this.#closed) return
    this.#channel = this.#platform.channel(`diptych:windows:${principal}`)
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data as LocalWindowMessage))
    this.#broadcast({ type: 'hello', state: this.#handlers.ownState() })
  }

  #broadcast(message: LocalWindowMessage): void {
    this.#channel?.postMessage(message)
  }

  #receive(message: LocalWindowMessage): void {
    if (this.#closed || ('to' in message && message.to !== this.#platform.own.id)) return
    switch (message.type) {
      case 'hello':
        this.#receiveState(message.state)
        return this.#broadcast({ type: 'here', state: this.#handlers.ownState(), to: message.state.id })
      case 'here':
      case 'state':
        return this.#receiveState(message.state)
      case 'ask':
        return this.#receiveRequest(message.what, message.from)
      case 'bye':
        return this.#onWindowGone(message.from)
    }
  }

  /** Reads the state as input: the other window may have another version of the page. */
  #receiveState(value: unknown): void {
    const state = readWindowState(value)
    if (!state || state.n <= (this.#windows.get(state.id)?.n ?? -1)) return
    // A page in the back/forward cache said goodbye, and is active again.
    this.#gone.delete(state.id)
    this.#windows.set(state.id, state)
    this.watchLock(state.id)
    this.#handlers.onChange()
  }

  #receiveRequest(value: unknown, from: string): void {
    const request = readWindowRequest(value)
    if (request) this.#handlers.onRequest(request, from)
  }

  #onWindowGone(id: string): void {
    this.#watchedLocks.get(id)?.()
    this.#watchedLocks.delete(id)
    this.#windows.delete(id)
    this.#gone.add(id)
    if (!this.#closed) this.#handlers.onChange()
  }
}
