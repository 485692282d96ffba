/**
 * Puts the network simulator in the way of one session's links, and takes it away again. Without it the transports are the plain
 * ones, and its code is not loaded. lib/transports/network-simulator.ts decides what happens to a link.
 */
import type { Clock } from './session/clock.ts'
import type { ClientSession } from './session/client-session.ts'
import { strings } from './strings/transports.ts'
import { NO_CONDITIONS, type NetworkConditions } from './transports/network-conditions.ts'
import type { NetworkSimulator } from './transports/network-simulator.ts'
import type { Transport, TransportId } from './transports/transport.ts'

export class Simulation {
  /** The requested conditions, perhaps a moment before they apply. */
  conditions: NetworkConditions | null = null
  readonly #session: ClientSession
  readonly #realTransports: ReadonlyMap<TransportId, Transport>
  /** The transports that the session opens. */
  readonly #sessionTransports: Map<TransportId, Transport>
  readonly #clock: Clock
  readonly #onChange: () => void
  #simulator: NetworkSimulator | null = null
  #queue: Promise<void> = Promise.resolve()

  /** @param transports The session's own map, whose entries are replaced. */
  constructor(
    session: ClientSession,
    transports: Map<TransportId, Transport>,
    clock: Clock,
    onChange: () => void,
  ) {
    this.#session = session
    this.#realTransports = new Map(transports)
    this.#sessionTransports = transports
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Resolves when the conditions apply to the link in use. Calls run one after the other, and the last one counts. */
  setConditions(conditions: NetworkConditions | null): Promise<void> {
    this.#storeConditions(conditions)
    const applied = this.#queue.then(() => this.#applyLatest())
    this.#queue = applied.catch(() => this.#storeConditions(null)) // The simulator's code could not be loaded.
    return applied
  }

  /** Breaks the link in use, simulated or not. */
  cutLink(): void {
    const { links } = this.#session
    if (this.#simulator) this.#simulator.cut()
    else if (links.current) links.closeLink(links.current, { code: 'lost', detail: strings.simulator.cut })
  }

  #storeConditions(conditions: NetworkConditions | null): void {
    this.conditions = conditions
    this.#onChange()
  }

  async #applyLatest(): Promise<void> {
    const { conditions } = this
    if (conditions) await this.#turnOn()
    else await this.#turnOff()
    if (conditions) this.#applyConditions(conditions)
  }

  /** The simulator lets everything through until it carries the link in use: on a silent network no link would come up. */
  async #turnOn(): Promise<void> {
    if (this.#simulator) return
    const { NetworkSimulator } = await import('./transports/network-simulator.ts')
    const simulator = new NetworkSimulator(this.#clock)
    for (const [id, transport] of this.#realTransports)
      this.#sessionTransports.set(id, simulator.wrapTransport(transport))
    this.#simulator = simulator
    await this.#reopenLink(true)
    const { links } = this.#session
    if (links.current && !this.#isLinkSimulated(true))
      links.closeLink(links.current, { code: 'lost', detail: strings.simulator.turnedOn })
  }

  /** Evidence from the simulated network says nothing about the real one. */
  async #turnOff(): Promise<void> {
    const simulator = this.#simulator
    if (!simulator) return
    this.#simulator = null
    for (const [id, transport] of this.#realTransports) this.#sessionTransports.set(id, transport)
    simulator.setConditions(NO_CONDITIONS)
    this.#session.onNetworkChange()
    await this.#reopenLink(false)
  }

  /** The simulated delay replaces the platform's measurement, so that an answer gets the time that it needs (S5, S7). */
  #applyConditions(conditions: NetworkConditions): void {
    const { links } = this.#session
    const addedRoundTripMs = 2 * (conditions.delayMs + conditions.jitterMs)
    if (addedRoundTripMs > 0) links.record.roundTripMs = Math.max(links.roundTripMs ?? 0, addedRoundTripMs)
    this.#simulator?.setConditions(conditions)
  }

  /** Tries twice: an attempt under way may have begun before the change. */
  async #reopenLink(simulated: boolean): Promise<void> {
    for (let attempt = 0; attempt < 2 && !this.#isLinkSimulated(simulated); attempt++)
      await this.#session.links.reopen().catch(() => {})
  }

  #isLinkSimulated(simulated: boolean): boolean {
    const { current, state } = this.#session.links
    if (!current) return state.name !== 'connecting'
    return (current.info.simulated ?? false) === simulated
  }
}
