/**
 * One window's part in sharing one link: its riders, its hub while it leads, and the channel on which riders and leader find
 * each other. Set up by its first rider, taken down a moment after its last.
 */
import type { ChannelLike } from '../../broadcast.ts'
import type { CloseReason } from '../../protocol/close.ts'
import { randomId } from '../../protocol/ids.ts'
import { strings } from '../../strings/transports.ts'
import { givenUp } from '../opening.ts'
import type { Link, Sink, Target, Transport } from '../transport.ts'
import { Hub } from './hub.ts'
import { Office } from './office.ts'
import { type FromHub, type FromRider, type HubPort, portOn, portPair, type RiderPort } from './port.ts'
import { Patience } from './patience.ts'
import type { SharingPowers } from './powers.ts'
import { Rider } from './rider.ts'

/** A window that lost its link comes back sooner, and then is still in line. */
export const LINGER_MS = 5_000

/** Said to all windows. */
type Call =
  /** Take me along: we two meet on this channel, and I hold the lock of its name while I live. */
  | { readonly type: 'board'; readonly channel: string }
  /** `stole`: the one before did not answer. */
  | { readonly type: 'leads'; readonly stole: boolean }

const handedOver: CloseReason = { code: 'handed-over' }
const noAnswer: CloseReason = { code: 'handed-over', detail: strings.details.sharerSilent }
const silent: CloseReason = { code: 'handed-over', detail: strings.details.sharerWasSilent }

export interface StationParts {
  readonly name: string
  readonly base: Transport
  readonly target: Target
  readonly powers: SharingPowers
  readonly lingerMs: number
  onEnd(): void
}

export class Station {
  readonly #parts: StationParts
  readonly #calls: ChannelLike
  readonly #office: Office
  readonly #riders = new Set<Rider>()
  readonly #patience = new Patience()
  readonly #stopListening: (() => void)[]
  #hub: Hub | null = null
  #isStealing = false
  #cancelEnd: () => void = () => {}

  constructor(parts: StationParts) {
    const { name, powers } = parts
    this.#parts = parts
    this.#calls = powers.channel(name)
    this.#calls.addEventListener('message', ({ data }) => this.#hear(data as Call))
    this.#office = new Office(powers.locks, name, {
      onLead: () => this.#lead(),
      onDeposed: () => this.#deposed(),
    })
    this.#stopListening = [powers.onVisible(() => this.#askAll()), powers.onLeave(() => this.#handOver())]
  }

  async open(sink: Sink, signal: AbortSignal): Promise<Link> {
    const rider = new Rider(this.#parts.base.id, {
      patienceMs: () => this.#patience.ms(performance.now()),
      onSilent: () => this.#onSilent(rider),
      onEnded: () => this.#left(rider),
    })
    this.#riders.add(rider)
    this.#cancelEnd()
    const opened = rider.open(sink, signal)
    opened.catch(() => {}) // heard below, unless the office fails first
    try {
      await this.#office.enter()
    } catch (error) {
      this.#left(rider)
      throw error
    }
    if (signal.aborted) throw givenUp(signal)
    if (!rider.isAboard) this.#board(rider) // where this window leads now, it was taken along at once
    return opened
  }

  #board(rider: Rider): void {
    if (this.#hub) this.#boardHere(rider, this.#hub)
    else this.#boardThere(rider)
  }

  #boardHere(rider: Rider, hub: Hub): void {
    const [near, far] = portPair()
    rider.board(near, 'this window')
    hub.receive(far, false)
  }

  /** The call goes out once the lock is held: from then on the hub can tell whether this rider lives. */
  #boardThere(rider: Rider): void {
    const { name, powers } = this.#parts
    const channel = `${name}:${randomId()}`
    const life = Promise.withResolvers<void>()
    const port: RiderPort = portOn<FromRider, FromHub>(powers.channel(channel), life.resolve)
    rider.board(port, 'another window')
    powers.locks
      .request(channel, {}, () => {
        this.#call({ type: 'board', channel })
        return life.promise
      })
      .catch(() => {}) // nobody answers, which the rider notices
  }

  #hear(call: Call): void {
    if (call.type === 'leads' && call.stole) this.#patience.stolen(performance.now())
    if (call.type === 'board') this.#takeAboard(call.channel)
    // Who still believes to lead was frozen, and is about to be told by the lock.
    else if (!this.#hub) this.#onLeads(handedOver)
  }

  #takeAboard(channel: string): void {
    const hub = this.#hub
    if (!hub) return
    const { locks, channel: join } = this.#parts.powers
    const waiting = new AbortController()
    const port: HubPort = portOn<FromHub, FromRider>(join(channel), () => waiting.abort())
    const onDeath = hub.receive(port, true)
    // Granted to nobody but who outlives the rider.
    locks.request(channel, { signal: waiting.signal }, async () => onDeath()).catch(() => {})
  }

  #lead(): void {
    const { base, target } = this.#parts
    this.#hub = new Hub(base, target, () => this.#endSoon())
    const stole = this.#isStealing
    this.#isStealing = false
    if (stole) this.#patience.stolen(performance.now())
    this.#call({ type: 'leads', stole })
    this.#onLeads(stole ? silent : handedOver)
    this.#endSoon()
  }

  /** A new window leads: who was under way with the former one loses the link, who was not yet goes aboard. */
  #onLeads(reason: CloseReason): void {
    for (const rider of this.#riders) if (rider.handedOver(reason)) this.#board(rider)
  }

  #onSilent(rider: Rider): void {
    if (!this.#parts.powers.visible()) return rider.doNotWait(noAnswer)
    this.#isStealing = true
    this.#office.steal()
  }

  #askAll(): void {
    for (const rider of this.#riders) rider.ask()
  }

  #deposed(): void {
    this.#hub?.end(silent)
    this.#hub = null
    if (this.#riders.size > 0) void this.#reenter()
  }

  async #reenter(): Promise<void> {
    await this.#office.enter().catch(() => {})
    this.#onLeads(silent)
  }

  /** This window is about to be gone or to freeze: others are not to wait until they notice. */
  #handOver(): void {
    if (!this.#hub?.carriesOthers) return
    this.#hub.end(handedOver)
    this.#hub = null
    this.#office.leave()
  }

  #left(rider: Rider): void {
    this.#riders.delete(rider)
    this.#endSoon()
  }

  #endSoon(): void {
    this.#cancelEnd()
    const timer = setTimeout(() => this.#end(), this.#parts.lingerMs)
    this.#cancelEnd = () => clearTimeout(timer)
  }

  #end(): void {
    if (this.#riders.size > 0 || (this.#hub && !this.#hub.empty)) return
    this.#office.leave()
    this.#calls.close()
    for (const stop of this.#stopListening) stop()
    this.#parts.onEnd()
  }

  #call(call: Call): void {
    this.#calls.postMessage(call)
  }
}
