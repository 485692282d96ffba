/**
 * Simulates a network: a decorator of any transport, so that all of them are treated alike. It delays whole frames, and an
 * opening by one round trip; it does not add what a transport's own handshakes would cost on such a network.
 */
import type { CloseReason } from '../protocol/close.ts'
import { type Clock, realClock } from '../session/clock.ts'
import { transportsStrings } from '../strings/transports.ts'
import { NO_CONDITIONS, type NetworkConditions } from './network-conditions.ts'
import { DelayLine } from './delay-line.ts'
import { LinkEnd, type LinkDriver } from './link.ts'
import type { Link, LinkInfo, Sink, LinkTarget, Transport, TransportId } from './transport.ts'
import { TransportError } from './transport.ts'

export class NetworkSimulator {
  readonly #clock: Clock
  readonly #drivers = new Set<SimulatedLinkDriver>()
  #conditions: NetworkConditions = NO_CONDITIONS

  constructor(clock: Clock = realClock) {
    this.#clock = clock
  }

  /** Applies to all present and future links. */
  setConditions(conditions: NetworkConditions): void {
    this.#conditions = conditions
    for (const driver of this.#drivers) {
      if (this.#isBlocked(driver.transport))
        driver.breakLink({ code: 'lost', detail: transportsStrings.simulator.blocked })
      else driver.flush()
    }
  }

  /** Breaks all present links, as if a cable was pulled and put back. */
  cut(): void {
    for (const driver of this.#drivers)
      driver.breakLink({ code: 'lost', detail: transportsStrings.simulator.cut })
  }

  wrapTransport(base: Transport): Transport {
    return {
      id: base.id,
      capabilities: base.capabilities,
      open: (target, sink, signal) => this.#open(base, target, sink, signal),
    }
  }

  async #open(base: Transport, target: LinkTarget, sink: Sink, signal: AbortSignal): Promise<Link> {
    const createDelayLine = (): DelayLine => new DelayLine(this.#clock, () => this.#conditions)
    const driver = new SimulatedLinkDriver(base.id, createDelayLine(), createDelayLine(), () =>
      this.#drivers.delete(driver),
    )
    this.#drivers.add(driver)
    try {
      await driver.upLine.waitForTransit(signal)
      this.#refuseBlocked(base.id)
      driver.baseLink = await base.open(target, driver.baseSink, signal)
      await driver.downLine.waitForTransit(signal)
      this.#refuseBlocked(base.id)
    } catch (error) {
      driver.linkEnd.close({ code: 'done' })
      throw error
    }
    driver.isOpen = true
    driver.linkEnd.attach(sink)
    return driver.linkEnd
  }

  #refuseBlocked(id: TransportId): void {
    if (!this.#isBlocked(id)) return
    throw new TransportError({ code: 'refused', detail: transportsStrings.simulator.blocked })
  }

  #isBlocked(id: TransportId): boolean {
    return this.#conditions.blocked.includes(id)
  }
}

class SimulatedLinkDriver implements LinkDriver {
  readonly transport: TransportId
  readonly upLine: DelayLine
  readonly downLine: DelayLine
  readonly linkEnd = new LinkEnd(this)
  readonly baseSink: Sink = {
    onFrame: (frame) => void this.downLine.push(frame.length, () => this.linkEnd.receive(frame)),
    onClosed: (reason) => void this.downLine.push(0, () => this.linkEnd.onEnded(reason)),
  }
  baseLink: Link | undefined
  isOpen = false
  readonly #onGone: () => void

  constructor(transport: TransportId, up: DelayLine, down: DelayLine, onGone: () => void) {
    this.transport = transport
    this.upLine = up
    this.downLine = down
    this.#onGone = onGone
  }

  get info(): LinkInfo {
    return { ...this.baseLink!.info, simulated: true }
  }

  write(frame: Uint8Array): Promise<void> {
    return this.upLine.push(frame.length, () => this.baseLink!.send(frame))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#onGone()
    if (side === 'there') return this.upLine.clear()
    this.downLine.clear()
    this.upLine.ignoreSilence()
    void this.upLine.push(0, () => this.baseLink?.close(reason))
  }

  flush(): void {
    this.upLine.flush()
    this.downLine.flush()
  }

  /** Breaks the link at once, with all that is on its way. A link that is still opening checks the conditions by itself. */
  breakLink(reason: CloseReason): void {
    if (!this.isOpen) return this.flush()
    this.upLine.clear()
    this.downLine.clear()
    this.baseLink?.close(reason)
    this.linkEnd.onEnded(reason)
  }
}
