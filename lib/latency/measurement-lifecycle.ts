/**
 * Decides when delays are measured: while somebody looks in this window, or another window said within 15 s that somebody looks there.
 *
 *   stopped ──look, here or elsewhere──▶ measuring: one tick a second ──nobody for 15 s──▶ stopped
 */
import type { Clock } from '../session/clock.ts'
import type { LatencyScope } from './latency-state.ts'

const TICK_MS = 1_000
const ANNOUNCE_EVERY_TICKS = 5
const OBSERVER_LEASE_MS = 15_000
const MAX_OBSERVERS = 100

export interface MeasurementLifecycleHandlers {
  onStart(): void
  onStop(): void
  /** Tells other windows that somebody looks here. */
  announceObserver(scope: LatencyScope): void
  onTick(): void
}

interface Observer {
  /** Whether it belongs to this window's person. */
  readonly own: boolean
  readonly scope: LatencyScope
}

interface ObserverLease extends Observer {
  readonly expiresAt: number
}

export class MeasurementLifecycle {
  readonly #clock: Clock
  readonly #handlers: MeasurementLifecycleHandlers
  readonly #remoteObservers = new Map<number, ObserverLease>()
  readonly #localObservers = new Set<{ readonly scope: LatencyScope }>()
  #ticks = 0
  #cancelTick: (() => void) | null = null

  constructor(clock: Clock, handlers: MeasurementLifecycleHandlers) {
    this.#clock = clock
    this.#handlers = handlers
  }

  /** The widest scope in this window; null while nobody looks. */
  get scope(): LatencyScope | null {
    const scopes = [...this.#localObservers].map(({ scope }) => scope)
    return scopes.find((scope) => scope === 'person') ?? scopes[0] ?? null
  }

  get isMeasuring(): boolean {
    return this.#cancelTick !== null
  }

  /** Only one's own edits are stamped, and only for one's own windows: what other people measure costs this window only its reports. */
  get shouldStamp(): boolean {
    return this.scope !== null || this.ownObservers.length > 0
  }

  /** Own windows that look, by the client ids of their presence. */
  get ownObservers(): readonly number[] {
    return [...this.#remoteObservers].filter(([, { own }]) => own).map(([client]) => client)
  }

  /** Own windows that want to know what this window measured. */
  get comparingObservers(): readonly number[] {
    return this.ownObservers.filter((client) => this.#remoteObservers.get(client)?.scope === 'person')
  }

  observe(scope: LatencyScope): () => void {
    const [scopeBefore, observer] = [this.scope, { scope }]
    this.#localObservers.add(observer)
    this.#start()
    if (this.scope && this.scope !== scopeBefore) this.#handlers.announceObserver(this.scope)
    return () => {
      this.#localObservers.delete(observer)
      this.#stopIfUnobserved()
    }
  }

  receiveObserver(client: number, observer: Observer): void {
    if (this.#remoteObservers.size >= MAX_OBSERVERS && !this.#remoteObservers.has(client)) return
    this.#remoteObservers.set(client, { ...observer, expiresAt: this.#clock.now() + OBSERVER_LEASE_MS })
    this.#start()
  }

  stop(): void {
    this.#localObservers.clear()
    this.#remoteObservers.clear()
    this.#stopIfUnobserved()
  }

  #start(): void {
    if (this.isMeasuring) return
    this.#scheduleTick()
    this.#handlers.onStart()
  }

  #scheduleTick(): void {
    this.#cancelTick = this.#clock.after(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    const now = this.#clock.now()
    for (const [client, { expiresAt }] of this.#remoteObservers)
      if (expiresAt <= now) this.#remoteObservers.delete(client)
    if (this.#stopIfUnobserved()) return
    this.#scheduleTick()
    const { scope } = this
    if (scope && ++this.#ticks % ANNOUNCE_EVERY_TICKS === 0) this.#handlers.announceObserver(scope)
    this.#handlers.onTick()
  }

  #stopIfUnobserved(): boolean {
    if (!this.isMeasuring || this.scope || this.#remoteObservers.size > 0) return !this.isMeasuring
    this.#cancelTick?.()
    this.#cancelTick = null
    this.#handlers.onStop()
    return true
  }
}
