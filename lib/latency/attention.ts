/**
 * Who looks: this window, or another one that said so within 15 s. Nothing is measured while nobody does.
 *
 *   asleep ──look, here or elsewhere──▶ awake: one tick a second ──nobody for 15 s──▶ asleep
 */
import type { Clock } from '../session/clock.ts'
import type { Scope } from './state.ts'

const TICK_MS = 1_000
const SAY_EVERY = 5
const GOOD_FOR_MS = 15_000
const MAX_LOOKERS = 100

export interface AttentionHandlers {
  onAwake(): void
  onAsleep(): void
  /** Others are to hear that somebody looks here. */
  say(scope: Scope): void
  tick(): void
}

interface Looker {
  /** It belongs to this window's person. */
  readonly own: boolean
  readonly scope: Scope
}

interface Known extends Looker {
  readonly until: number
}

export class Attention {
  readonly #clock: Clock
  readonly #handlers: AttentionHandlers
  readonly #lookers = new Map<number, Known>()
  readonly #looks = new Set<{ readonly scope: Scope }>()
  #ticks = 0
  #cancelTick: (() => void) | null = null

  constructor(clock: Clock, handlers: AttentionHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  /** The widest of those who look in this window; null: nobody does. */
  get scope(): Scope | null {
    const scopes = [...this.#looks].map(({ scope }) => scope)
    return scopes.find((scope) => scope === 'person') ?? scopes[0] ?? null
  }

  get awake(): boolean {
    return this.#cancelTick !== null
  }

  /** Only one's own edits are stamped, and only for oneself: what others measure costs this window its answers alone. */
  get stamping(): boolean {
    return this.scope !== null || this.ownLookers.length > 0
  }

  /** Own windows that look, by the client ids of their presence. */
  get ownLookers(): readonly number[] {
    return [...this.#lookers].filter(([, { own }]) => own).map(([client]) => client)
  }

  /** Those of them that want to know what this window measured. */
  get comparing(): readonly number[] {
    return this.ownLookers.filter((client) => this.#lookers.get(client)?.scope === 'person')
  }

  look(scope: Scope): () => void {
    const [before, look] = [this.scope, { scope }]
    this.#looks.add(look)
    this.#wake()
    if (this.scope && this.scope !== before) this.#handlers.say(this.scope)
    return () => {
      this.#looks.delete(look)
      this.#sleepWhenAlone()
    }
  }

  heard(client: number, looker: Looker): void {
    if (this.#lookers.size >= MAX_LOOKERS && !this.#lookers.has(client)) return
    this.#lookers.set(client, { ...looker, until: this.#clock.now() + GOOD_FOR_MS })
    this.#wake()
  }

  stop(): void {
    this.#looks.clear()
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
    const { scope } = this
    if (scope && ++this.#ticks % SAY_EVERY === 0) this.#handlers.say(scope)
    this.#handlers.tick()
  }

  #sleepWhenAlone(): boolean {
    if (!this.awake || this.scope || this.#lookers.size > 0) return !this.awake
    this.#cancelTick?.()
    this.#cancelTick = null
    this.#handlers.onAsleep()
    return true
  }
}
