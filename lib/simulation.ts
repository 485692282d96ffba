/**
 * Puts the network simulator in the way of one session's links, and takes it away again. Without it the transports are the plain
 * ones, and its code is not loaded. What it does to a link is lib/transports/simulated.ts' affair.
 */
import type { Clock } from './session/clock.ts'
import type { ClientSession } from './session/session.ts'
import { strings } from './strings/transports.ts'
import { CLEAR, type Conditions } from './transports/conditions.ts'
import type { Simulator } from './transports/simulated.ts'
import type { Transport, TransportId } from './transports/transport.ts'

export class Simulation {
  /** As asked for, perhaps a moment before it holds. */
  conditions: Conditions | null = null
  readonly #session: ClientSession
  readonly #plain: ReadonlyMap<TransportId, Transport>
  /** What the session opens. */
  readonly #inUse: Map<TransportId, Transport>
  readonly #clock: Clock
  readonly #onChange: () => void
  #simulator: Simulator | null = null
  #turn: Promise<void> = Promise.resolve()

  /** @param transports The session's own map: its entries are exchanged. */
  constructor(
    session: ClientSession,
    transports: Map<TransportId, Transport>,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#session = session
    this.#plain = new Map(transports)
    this.#inUse = transports
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Resolves when it holds for the link in use. One after the other; of many, the last one counts. */
  set(conditions: Conditions | null): Promise<void> {
    this.#told(conditions)
    const turn = this.#turn.then(() => this.#follow())
    this.#turn = turn.catch(() => this.#told(null)) // its code could not be loaded
    return turn
  }

  /** Breaks the link in use, simulated or not. */
  cut(): void {
    const { links } = this.#session
    if (this.#simulator) this.#simulator.cut()
    else if (links.current) links.drop(links.current, { code: 'lost', detail: strings.simulator.cut })
  }

  #told(conditions: Conditions | null): void {
    this.conditions = conditions
    this.#onChange()
  }

  async #follow(): Promise<void> {
    const { conditions } = this
    if (conditions) await this.#begin()
    else await this.#end()
    if (conditions) this.#apply(conditions)
  }

  /** The simulator lets everything through until the link in use is its own: on a silent network none would come up. */
  async #begin(): Promise<void> {
    if (this.#simulator) return
    const { Simulator } = await import('./transports/simulated.ts')
    const simulator = new Simulator(this.#clock)
    for (const [id, transport] of this.#plain) this.#inUse.set(id, simulator.wrap(transport))
    this.#simulator = simulator
    await this.#reopen(true)
    const { links } = this.#session
    if (links.current && !this.#holds(true))
      links.drop(links.current, { code: 'lost', detail: strings.simulator.begun })
  }

  /** What was found out on the simulated network says nothing of the real one. */
  async #end(): Promise<void> {
    const simulator = this.#simulator
    if (!simulator) return
    this.#simulator = null
    for (const [id, transport] of this.#plain) this.#inUse.set(id, transport)
    simulator.set(CLEAR)
    this.#session.networkChanged()
    await this.#reopen(false)
  }

  /** It stands in for what a platform would have measured: an answer is granted the time that it takes (S5, S7). */
  #apply(conditions: Conditions): void {
    const { links } = this.#session
    const added = 2 * (conditions.delayMs + conditions.jitterMs)
    if (added > 0) links.record.roundTripMs = Math.max(links.roundTripMs ?? 0, added)
    this.#simulator?.set(conditions)
  }

  /** Twice: what is under way already may have begun before. */
  async #reopen(simulated: boolean): Promise<void> {
    for (let turn = 0; turn < 2 && !this.#holds(simulated); turn++)
      await this.#session.links.reopen().catch(() => {})
  }

  #holds(simulated: boolean): boolean {
    const { current, state } = this.#session.links
    if (!current) return state.name !== 'connecting'
    return (current.info.simulated ?? false) === simulated
  }
}
