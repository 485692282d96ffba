/**
 * The windows of one person on all devices, as the presence of their desk has them. A request to another device stands in the
 * asking window's state until the one asked lists it as heard, is gone, or a minute has passed. Knows presence and a clock alone.
 */
import type { Awareness } from 'y-protocols/awareness'
import { randomId } from '../protocol/ids.ts'
import type { Clock } from '../session/clock.ts'
import type { Ask, Request } from './requests.ts'
import { MAX_TEXT, readWindowState, type WindowState } from './window-state.ts'

/** A tablet that wakes up tomorrow does not do what was wanted today. In ms. */
const ASK_MS = 60_000

interface Handlers {
  own(): WindowState
  onChange(): void
  onAsked(what: Request, from: string): void
}

export class DeskWindows {
  readonly #awareness: Awareness
  readonly #clock: Clock
  readonly #handlers: Handlers
  readonly #asks = new Map<string, { readonly ask: Ask; readonly forget: () => void }>()
  /** Everything that was ever done here on request: presence repeats itself. */
  readonly #done = new Set<string>()
  #heard: readonly string[] = []
  #windows: readonly WindowState[] = []

  constructor(awareness: Awareness, clock: Clock, handlers: Handlers) {
    this.#awareness = awareness
    this.#clock = clock
    this.#handlers = handlers
    awareness.on('change', this.#read)
    this.#read()
    this.changed()
  }

  /** Without this one. */
  get windows(): readonly WindowState[] {
    return this.#windows
  }

  changed(): void {
    const own = this.#handlers.own()
    const window = {
      ...own,
      // The server leaves out what is far longer (W8).
      title: own.title.slice(0, MAX_TEXT),
      asks: [...this.#asks.values()].map(({ ask }) => ask),
      heard: this.#heard,
    }
    this.#awareness.setLocalState({ ...this.#awareness.getLocalState(), window })
  }

  ask(to: string, what: Request): void {
    const ask: Ask = { id: randomId(), to, what }
    const forget = this.#clock.after(ASK_MS, () => this.#forget([ask.id]))
    this.#asks.set(ask.id, { ask, forget })
    this.changed()
  }

  close(): void {
    this.#awareness.off('change', this.#read)
    for (const { forget } of this.#asks.values()) forget()
    this.#asks.clear()
    const { window: _window, ...rest } = this.#awareness.getLocalState() ?? {}
    this.#awareness.setLocalState(rest)
  }

  readonly #read = (): void => {
    const own = this.#handlers.own().id
    const all = [...this.#awareness.getStates().values()].map(({ window }) => readWindowState(window))
    this.#windows = all.filter((window) => window !== undefined && window.id !== own) as WindowState[]
    this.#hear(own)
    this.#forgetAnswered()
    this.#handlers.onChange()
  }

  #hear(own: string): void {
    const asked = this.#windows.flatMap(({ id: from, asks = [] }) => asks.map((ask) => ({ ...ask, from })))
    const mine = asked.filter(({ to }) => to === own)
    const heard = mine.map(({ id }) => id)
    const isNew = heard.some((id) => !this.#heard.includes(id))
    this.#heard = heard
    if (isNew) this.changed()
    for (const { id, what, from } of mine) {
      if (this.#done.has(id)) continue
      this.#done.add(id)
      this.#handlers.onAsked(what, from)
    }
  }

  #forgetAnswered(): void {
    const answered = [...this.#asks.values()].filter(({ ask: { id, to } }) => {
      const target = this.#windows.find((window) => window.id === to)
      return !target || target.heard?.includes(id)
    })
    this.#forget(answered.map(({ ask }) => ask.id))
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.#asks.get(id)?.forget()
      this.#asks.delete(id)
    }
    if (ids.length > 0) this.changed()
  }
}
