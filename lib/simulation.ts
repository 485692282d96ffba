/**
 * Puts the network simulator in the way of one session's links, and takes it away again. Without it the transports are the plain
 * ones, and its code is not loaded. lib/transports/network-simulator.ts decides what happens to a link.
 */
import type { Clock } from './session/clock.ts'
import type { ClientSession } from './session/client-session.ts'
import { transportsStrings } from './strings/transports.ts'
import { NO_CONDITIONS, type NetworkConditions } from './transports/network-conditions.ts'
import type { NetworkSimulator } from './transports/network-simulator.ts'
import type { Transport, TransportId } from './transports/transport.ts'

export interface SimulationOptions {
  readonly transports: ReadonlyMap<TransportId, Transport>
  /** The session over this simulation's `transports`. */
  session(): ClientSession
  readonly clock: Clock
  onChange(): void
}

export class Simulation {
  /** The given transports. What they open while the simulator is on is simulated. */
  readonly transports: ReadonlyMap<TransportId, Transport>
  /** The requested conditions, perhaps a moment before they apply. */
  conditions: NetworkConditions | null = null
  readonly #options: SimulationOptions
  #simulator: NetworkSimulator | null = null
  #queue: Promise<void> = Promise.resolve()

  constructor(options: SimulationOptions) {
    this.#options = options
    this.transports = new Map([...options.transports].map(([id, base]) => [id, this.#delegateTo(base)]))
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
    if (this.#simulator) this.#simulator.cut()
    else this.#links.current?.close({ code: 'lost', detail: transportsStrings.simulator.cut })
  }

  get #links(): ClientSession['links'] {
    return this.#options.session().links
  }

  #delegateTo(base: Transport): Transport {
    return {
      id: base.id,
      capabilities: base.capabilities,
      open: (...args) => (this.#simulator?.wrapTransport(base) ?? base).open(...args),
    }
  }

  #storeConditions(conditions: NetworkConditions | null): void {
    this.conditions = conditions
    this.#options.onChange()
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
    this.#simulator = new NetworkSimulator(this.#options.clock)
    await this.#reopenLink(true)
    if (!this.#isLinkSimulated(true))
      this.#links.current?.close({ code: 'lost', detail: transportsStrings.simulator.turnedOn })
  }

  /** Evidence from the simulated network says nothing about the real one. */
  async #turnOff(): Promise<void> {
    const simulator = this.#simulator
    if (!simulator) return
    this.#simulator = null
    simulator.setConditions(NO_CONDITIONS)
    this.#options.session().onNetworkChange()
    await this.#reopenLink(false)
  }

  /** The simulated delay replaces the platform's measurement, so that an answer gets the time that it needs (S5, S7). */
  #applyConditions(conditions: NetworkConditions): void {
    const addedRoundTripMs = 2 * (conditions.delayMs + conditions.jitterMs)
    const { record, roundTripMs = 0 } = this.#links
    if (addedRoundTripMs > 0) record.onRoundTrip(Math.max(roundTripMs, addedRoundTripMs))
    this.#simulator?.setConditions(conditions)
  }

  /** Tries twice: an attempt under way may have begun before the change. */
  async #reopenLink(simulated: boolean): Promise<void> {
    for (let attempt = 0; attempt < 2 && !this.#isLinkSimulated(simulated); attempt++)
      await this.#links.reopen().catch(() => {})
  }

  #isLinkSimulated(simulated: boolean): boolean {
    const { current, state } = this.#links
    if (!current) return state.name !== 'connecting'
    return (current.info.simulated ?? false) === simulated
  }
}
