/**
 * A network that behaves as told: a decorator of any transport, so that all of them are treated alike. It delays whole frames
 * and costs an opening one round trip; what a transport's own handshakes would add on such a network is not in it.
 */
import type { CloseReason } from '../protocol/close.ts'
import { type Clock, realClock } from '../session/clock.ts'
import { strings } from '../strings/transports.ts'
import { CLEAR, type Conditions } from './conditions.ts'
import { DelayLine } from './delay-line.ts'
import { LinkEnd, type Wire } from './link.ts'
import type { Link, LinkInfo, Sink, Target, Transport, TransportId } from './transport.ts'
import { TransportError } from './transport.ts'

export class Simulator {
  readonly #clock: Clock
  readonly #wires = new Set<SimulatedWire>()
  #conditions: Conditions = CLEAR

  constructor(clock: Clock = realClock) {
    this.#clock = clock
  }

  /** From now on, for all links that it carries and all to come. */
  set(conditions: Conditions): void {
    this.#conditions = conditions
    for (const wire of this.#wires) {
      if (this.#isBlocked(wire.transport)) wire.break({ code: 'lost', detail: strings.simulator.blocked })
      else wire.flush()
    }
  }

  /** Breaks the links there are, as when a cable is pulled and put back. */
  cut(): void {
    for (const wire of this.#wires) wire.break({ code: 'lost', detail: strings.simulator.cut })
  }

  wrap(base: Transport): Transport {
    return {
      id: base.id,
      capabilities: base.capabilities,
      open: (target, sink, signal) => this.#open(base, target, sink, signal),
    }
  }

  async #open(base: Transport, target: Target, sink: Sink, signal: AbortSignal): Promise<Link> {
    const line = (): DelayLine => new DelayLine(this.#clock, () => this.#conditions)
    const wire = new SimulatedWire(base.id, line(), line(), () => this.#wires.delete(wire))
    this.#wires.add(wire)
    try {
      await wire.up.passage(signal)
      this.#refuseBlocked(base.id)
      wire.base = await base.open(target, wire.sink, signal)
      await wire.down.passage(signal)
      this.#refuseBlocked(base.id)
    } catch (error) {
      wire.link.close({ code: 'done' })
      throw error
    }
    wire.opened = true
    wire.link.attach(sink)
    return wire.link
  }

  #refuseBlocked(id: TransportId): void {
    if (!this.#isBlocked(id)) return
    throw new TransportError({ code: 'refused', detail: strings.simulator.blocked })
  }

  #isBlocked(id: TransportId): boolean {
    return this.#conditions.blocked.includes(id)
  }
}

class SimulatedWire implements Wire {
  readonly transport: TransportId
  readonly up: DelayLine
  readonly down: DelayLine
  readonly link = new LinkEnd(this)
  readonly sink: Sink = {
    onFrame: (frame) => void this.down.push(frame.length, () => this.link.receive(frame)),
    onClosed: (reason) => void this.down.push(0, () => this.link.ended(reason)),
  }
  base: Link | undefined
  opened = false
  readonly #onGone: () => void

  constructor(transport: TransportId, up: DelayLine, down: DelayLine, onGone: () => void) {
    this.transport = transport
    this.up = up
    this.down = down
    this.#onGone = onGone
  }

  get info(): LinkInfo {
    return { ...this.base!.info, simulated: true }
  }

  write(frame: Uint8Array): Promise<void> {
    return this.up.push(frame.length, () => this.base!.send(frame))
  }

  end(reason: CloseReason, side: 'here' | 'there'): void {
    this.#onGone()
    if (side === 'there') return this.up.clear()
    this.down.clear()
    this.up.leave()
    void this.up.push(0, () => this.base?.close(reason))
  }

  flush(): void {
    this.up.flush()
    this.down.flush()
  }

  /** At once, with all that is on its way. One that is still opening finds out by itself. */
  break(reason: CloseReason): void {
    if (!this.opened) return this.flush()
    this.up.clear()
    this.down.clear()
    this.base?.close(reason)
    this.link.ended(reason)
  }
}
