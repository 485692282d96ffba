/**
 * Which windows one person has open (W3): on every device by the presence of their desk, which is the truth, and within this browser
 * at once. One a page load. Knows no pages and no React.
 *
 *   this browser:  LocalWindows ─┐ newest n wins; who is gone here is gone
 *   all devices:   DeskWindows  ─┴─▶ entries        ask ──▶ the same two ways
 */
import type { Awareness } from 'y-protocols/awareness'
import type { Clock } from '../session/clock.ts'
import { realClock } from '../session/clock.ts'
import type { NeighbourPowers } from '../sync/neighbours.ts'
import { DeskWindows } from './desk-windows.ts'
import { LocalWindows } from './local-windows.ts'
import type { Request } from './requests.ts'
import type { WindowState } from './window-state.ts'
import { notifyAll } from '../notify-all.ts'

export interface OwnWindowEntry extends WindowState {
  readonly self: boolean
  /** In this browser. */
  readonly here: boolean
}

/** What a window tells of itself; the register counts `n`. */
export type Told = Partial<Omit<WindowState, 'id' | 'n' | 'device' | 'openedAt' | 'asks' | 'heard'>>

type AskedHandler = (what: Request, from: string) => void

export class Register {
  readonly #powers: NeighbourPowers | undefined
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  readonly #askedHandlers = new Set<AskedHandler>()
  #own: WindowState
  #local: LocalWindows | undefined
  #desk: DeskWindows | undefined
  #entries: readonly OwnWindowEntry[] | undefined

  /** @param powers Undefined where a browser has no Web Locks: then presence alone tells of other windows. */
  constructor(
    own: Omit<WindowState, 'n' | 'asks' | 'heard'>,
    powers: NeighbourPowers | undefined,
    clock: Clock = realClock,
  ) {
    this.#own = { ...own, n: 1 }
    this.#powers = powers
    this.#clock = clock
  }

  /** Meets the person's other windows in this browser. */
  join(principal: string): void {
    if (this.#local || !this.#powers) return
    this.#local = new LocalWindows(this.#powers, principal, this.#handlers)
    this.#onDesk()
  }

  /** Meets those on other devices, through the presence of the person's desk. Returns the undo. */
  meet(awareness: Awareness): () => void {
    this.#desk?.close()
    const desk = new DeskWindows(awareness, this.#clock, {
      ...this.#handlers,
      onChange: () => this.#onDesk(),
    })
    this.#desk = desk
    this.#onDesk()
    return () => {
      if (this.#desk !== desk) return
      desk.close()
      this.#desk = undefined
      this.#changed()
    }
  }

  /** This window first, then those of this browser, then other devices'; the same list until something changes. */
  get = (): readonly OwnWindowEntry[] => (this.#entries ??= this.#merge())

  get own(): OwnWindowEntry {
    return { ...this.#own, self: true, here: true }
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(told: Told): void {
    const before: Told = this.#own
    const keys = Object.keys(told) as (keyof Told)[]
    if (keys.every((key) => isSame(before[key], told[key]))) return
    this.#own = { ...this.#own, ...told, n: this.#own.n + 1 }
    this.#local?.changed()
    this.#desk?.changed()
    this.#changed()
  }

  /** Of this window, too: whoever can do it does. */
  ask(to: string, what: Request): void {
    if (to === this.#own.id) this.#handlers.onAsked(what, to)
    else if (this.#local?.windows.has(to)) this.#local.ask(to, what)
    else this.#desk?.ask(to, what)
  }

  /** Every handler hears every request. Returns the undo. */
  onAsked(handler: AskedHandler): () => void {
    this.#askedHandlers.add(handler)
    return () => this.#askedHandlers.delete(handler)
  }

  /** This window is none any more, though its page may still be there. */
  close(): void {
    this.#local?.close()
    this.#local = undefined
    this.#desk?.close()
    this.#desk = undefined
    this.#changed()
  }

  readonly #handlers = {
    own: () => this.#own,
    onChange: () => this.#changed(),
    onAsked: (what: Request, from: string) => {
      for (const handler of this.#askedHandlers) handler(what, from)
    },
  }

  /** Presence may list a window of this browser that died without a word: its lock tells. */
  #onDesk(): void {
    for (const { id, device } of this.#desk?.windows ?? [])
      if (device.id === this.#own.device.id) this.#local?.watch(id)
    this.#changed()
  }

  #changed(): void {
    this.#entries = undefined
    notifyAll(this.#listeners)
  }

  #merge(): readonly OwnWindowEntry[] {
    const found = new Map<string, OwnWindowEntry>(
      [...(this.#local?.windows ?? [])].map(([id, state]) => [id, { ...state, self: false, here: true }]),
    )
    for (const state of this.#desk?.windows ?? []) {
      const known = found.get(state.id)
      const here = known !== undefined || state.device.id === this.#own.device.id
      if (this.#local?.isGone(state.id) || (known && known.n >= state.n)) continue
      found.set(state.id, { ...state, self: false, here })
    }
    return [this.own, ...[...found.values()].toSorted(byNearness)]
  }
}

const byNearness = (a: OwnWindowEntry, b: OwnWindowEntry): number =>
  Number(b.here) - Number(a.here) ||
  a.device.name.localeCompare(b.device.name) ||
  a.device.id.localeCompare(b.device.id) ||
  b.focusedAt - a.focusedAt

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)
