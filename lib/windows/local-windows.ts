/**
 * The windows of one person in this browser, as they tell each other at once.
 *
 *   newcomer: hello ──▶ everybody: here          then: state, ask … bye
 *
 * A window's lock tells when it is gone without a word. Knows a broadcast channel and locks; does not know presence.
 */
import type { ChannelLike } from '../broadcast.ts'
import { type NeighbourPowers } from '../sync/neighbours.ts'
import { whenGone } from '../sync/window-id.ts'
import { type Request, readRequest } from './requests.ts'
import { readWindowState, type WindowState } from './window-state.ts'

interface Handlers {
  own(): WindowState
  onChange(): void
  onAsked(what: Request, from: string): void
}

type Said =
  | { readonly type: 'hello' | 'state'; readonly state: WindowState }
  | { readonly type: 'here'; readonly state: WindowState; readonly to: string }
  | { readonly type: 'ask'; readonly what: Request; readonly from: string; readonly to: string }
  | { readonly type: 'bye'; readonly from: string }

export class LocalWindows {
  readonly #powers: NeighbourPowers
  readonly #handlers: Handlers
  readonly #windows = new Map<string, WindowState>()
  readonly #gone = new Set<string>()
  readonly #watched = new Map<string, () => void>()
  #channel: ChannelLike | null = null
  #closed = false

  constructor(powers: NeighbourPowers, principal: string, handlers: Handlers) {
    this.#powers = powers
    this.#handlers = handlers
    powers.own.held.then(
      () => this.#enter(principal),
      () => {}, // without its lock it would be taken for gone
    )
  }

  get windows(): ReadonlyMap<string, WindowState> {
    return this.#windows
  }

  /** It said goodbye, or its lock is free: whatever presence says. */
  isGone(id: string): boolean {
    return this.#gone.has(id)
  }

  /** Notices its end, also of a window of this browser that never spoke here. */
  watch(id: string): void {
    if (this.#closed || this.#watched.has(id) || this.#gone.has(id)) return
    this.#watched.set(
      id,
      whenGone(this.#powers.locks, id, () => this.#onGone(id)),
    )
  }

  changed(): void {
    this.#post({ type: 'state', state: this.#handlers.own() })
  }

  ask(to: string, what: Request): void {
    this.#post({ type: 'ask', what, from: this.#powers.own.id, to })
  }

  close(): void {
    if (this.#closed) return
    this.#post({ type: 'bye', from: this.#powers.own.id })
    this.#closed = true
    this.#channel?.close()
    for (const stop of this.#watched.values()) stop()
    this.#watched.clear()
    this.#windows.clear()
  }

  #enter(principal: string): void {
    if (this.#closed) return
    this.#channel = this.#powers.channel(`diptych:windows:${principal}`)
    this.#channel.addEventListener('message', ({ data }) => this.#hear(data as Said))
    this.#post({ type: 'hello', state: this.#handlers.own() })
  }

  #post(said: Said): void {
    this.#channel?.postMessage(said)
  }

  #hear(said: Said): void {
    if (this.#closed || ('to' in said && said.to !== this.#powers.own.id)) return
    switch (said.type) {
      case 'hello':
        this.#know(said.state)
        return this.#post({ type: 'here', state: this.#handlers.own(), to: said.state.id })
      case 'here':
      case 'state':
        return this.#know(said.state)
      case 'ask':
        return this.#asked(said.what, said.from)
      case 'bye':
        return this.#onGone(said.from)
    }
  }

  /** Read as input: the other window may be of another version of the page. */
  #know(told: unknown): void {
    const state = readWindowState(told)
    if (!state || state.n <= (this.#windows.get(state.id)?.n ?? -1)) return
    // A page that the browser kept for the way back said goodbye, and speaks again.
    this.#gone.delete(state.id)
    this.#windows.set(state.id, state)
    this.watch(state.id)
    this.#handlers.onChange()
  }

  #asked(told: unknown, from: string): void {
    const what = readRequest(told)
    if (what) this.#handlers.onAsked(what, from)
  }

  #onGone(id: string): void {
    this.#watched.get(id)?.()
    this.#watched.delete(id)
    this.#windows.delete(id)
    this.#gone.add(id)
    if (!this.#closed) this.#handlers.onChange()
  }
}
