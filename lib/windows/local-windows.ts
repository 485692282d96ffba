/**
 * Exchanges states and requests at once between the windows of one person in this browser. All greetings carry the sender's state.
 *
 * Knows the group of these windows and locks; does not know presence.
 */
import { type GroupMessage, WindowGroup, type WindowPlatform } from '../window-group/window-group.ts'
import { onWindowGone } from '../window-group/window-lock.ts'
import { type WindowRequest, readWindowRequest } from './window-requests.ts'
import { readWindowState, type WindowState } from './window-state.ts'

interface LocalWindowsHandlers {
  ownState(): WindowState
  onChange(): void
  onRequest(request: WindowRequest, from: string): void
}

type LocalWindowMessage =
  | { readonly type: 'hello' | 'here' | 'state'; readonly state: WindowState }
  | { readonly type: 'ask'; readonly what: WindowRequest }
  | { readonly type: 'bye' }

export class LocalWindows {
  readonly #platform: WindowPlatform
  readonly #handlers: LocalWindowsHandlers
  readonly #group: WindowGroup<LocalWindowMessage>
  readonly #windows = new Map<string, WindowState>()
  readonly #gone = new Set<string>()
  /** Of windows that only presence reported so far. */
  readonly #watchedLocks = new Map<string, () => void>()
  #closed = false

  constructor(platform: WindowPlatform, principal: string, handlers: LocalWindowsHandlers) {
    this.#platform = platform
    this.#handlers = handlers
    const groupHandlers = {
      greet: (type: 'hello' | 'here') => ({ type, state: handlers.ownState() }),
      onMessage: (message: GroupMessage<LocalWindowMessage>) => this.#receive(message),
      onGone: (id: string) => this.#onWindowGone(id),
    }
    this.#group = new WindowGroup(platform, groupHandlers, platform.own.id)
    this.#group.join(`diptych:windows:${principal}`)
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
    const stopWatching = onWindowGone(this.#platform.locks, id, () => this.#onWindowGone(id))
    this.#watchedLocks.set(id, stopWatching)
  }

  broadcastState(): void {
    this.#group.post({ type: 'state', state: this.#handlers.ownState() })
  }

  sendRequest(to: string, what: WindowRequest): void {
    this.#group.post({ type: 'ask', what }, to)
  }

  close(): void {
    this.#closed = true
    this.#group.leave({ type: 'bye' })
    for (const stopWatching of this.#watchedLocks.values()) stopWatching()
    this.#watchedLocks.clear()
    this.#windows.clear()
  }

  #receive(message: GroupMessage<LocalWindowMessage>): void {
    if (message.type === 'ask') this.#receiveRequest(message.what, message.from)
    else if (message.type !== 'bye') this.#receiveState(message.state)
  }

  /** Reads the state as input: the other window may have another version of the page. */
  #receiveState(value: unknown): void {
    const state = readWindowState(value)
    if (!state || state.n <= (this.#windows.get(state.id)?.n ?? -1)) return
    // A page in the back/forward cache said goodbye, and is active again.
    this.#gone.delete(state.id)
    this.#windows.set(state.id, state)
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
