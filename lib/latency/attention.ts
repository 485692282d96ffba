/**
 * Who looks: this window, or another one that said so within 15 s. Nothing is measured while nobody does.
 *
 *   asleep ──look, here or elsewhere──▶ awake: one tick a second ──nobody for 15 s──▶ asleep
 */
import type { Clock } from '../session/clock.ts'

const TICK_MS = 1_000
const SAY_EVERY = 5
const GOOD_FOR_MS = 15_000
const MAX_LOOKERS = 100

export interface AttentionHandlers {
  onAwake(): void
  onAsleep(): void
  /** Others are to hear that somebody looks here. */
  say(): void
  tick(): void
}

interface Looker {
  readonly own: boolean
  readonly until: number
}

export class Attention {
  readonly #clock: Clock
  readonly #handlers: AttentionHandlers
  readonly #lookers = new Map<number, Looker>()
  #looks = 0
  #ticks = 0
  #cancelTick: (() => void) | null = null

  constructor(clock: Clock, handlers: AttentionHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  get looking(): boolean {
    return this.#looks > 0
  }

  get awake(): boolean {
    return this.#cancelTick !== null
  }

  /** Only one's own edits are stamped, and only for oneself: what others measure costs this window its answers alone. */
  get stamping(): boolean {
    return this.looking || this.ownLookers.length > 0
  }

  /** Own windows that look, by the client ids of their presence. */
  get ownLookers(): readonly number[] {
    return [...this.#lookers].filter(([, { own }]) => own).map(([client]) => client)
  }

  look(): () => void {
    this.#looks += 1
    this.#wake()
    if (this.#looks === 1) this.#handlers.say()
    let done = false
    return () => {
      if (!done) this.#looks -= 1
      done = true
      this.#sleepWhenAlone()
    }
  }

  heard(client: number, own: boolean): void {
    if (this.#lookers.size >= MAX_LOOKERS && !this.#lookers.has(client)) return
    this.#lookers.set(client, { own, until: this.#clock.now() + GOOD_FOR_MS })
    this.#wake()
  }

  stop(): void {
    this.#looks = 0
    this.#lookers.clear()
    this.#sleepWhenAlone()
  }

  #wake(): void {
    if (this.awake) return
    this.#tickSoon()
    this.#handlers.onAwake()
  }

  #tickSoon(): void {
    this.#cancelTick = this.#clock.after(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    const now = this.#clock.now()
    for (const [client, { until }] of this.#lookers) if (until <= now) this.#lookers.delete(client)
    if (this.#sleepWhenAlone()) return
    this.#tickSoon()
    if (this.looking && ++this.#ticks % SAY_EVERY === 0) this.#handlers.say()
    this.#handlers.tick()
  }

  #sleepWhenAlone(): boolean {
    if (!this.awake || this.looking || this.#lookers.size > 0) return !this.awake
    this.#cancelTick?.()
    this.#cancelTick = null
    this.#handlers.onAsleep()
    return true
  }
}
