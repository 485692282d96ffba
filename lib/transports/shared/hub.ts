/**
 * What the window that leads does for the others: keeps ONE link while anybody rides, and passes frames between it and the
 * riders. Opens nothing again (T3): a link that ends ends its rides.
 */
import type { CloseReason } from '../../protocol/close.ts'
import { randomId } from '../../protocol/ids.ts'
import { strings } from '../../strings/transports.ts'
import { HIGH_WATER_BYTES, type LinkEnd } from '../link.ts'
import { Rides } from '../rides.ts'
import type { Link, LinkInfo, Sink, Target, Transport } from '../transport.ts'
import { reasonOf } from '../transport.ts'
import type { FromRider, HubPort } from './port.ts'

/** Below what the server grants a link, so that nobody is sent away from there. */
const MAX_RIDERS = 60
/** The riders' high water less this is what they may always send. */
const TELL_BYTES = HIGH_WATER_BYTES / 4

/** One link, from its opening to its end. */
interface Trip {
  readonly rides: Rides
  readonly abort: AbortController
  link: Link | null
}

export class Hub {
  readonly id = randomId()
  readonly #base: Transport
  readonly #target: Target
  readonly #onEmpty: () => void
  readonly #passengers = new Set<Passenger>()
  #trip: Trip | null = null

  constructor(base: Transport, target: Target, onEmpty: () => void) {
    this.#base = base
    this.#target = target
    this.#onEmpty = onEmpty
  }

  get empty(): boolean {
    return this.#passengers.size === 0
  }

  get carriesOthers(): boolean {
    return [...this.#passengers].some(({ isGuest }) => isGuest)
  }

  /** @param isGuest Of another window. @returns what to do when the rider is found dead. */
  receive(port: HubPort, isGuest: boolean): () => void {
    const passenger = new Passenger(port, isGuest, this)
    passenger.greet()
    return () => passenger.over({ code: 'lost', detail: strings.details.windowGone })
  }

  // For its passengers.

  board(passenger: Passenger): void {
    if (this.#passengers.size >= MAX_RIDERS) {
      const detail = strings.details.sharedByTooMany(MAX_RIDERS)
      return passenger.over({ code: 'refused', detail })
    }
    this.#passengers.add(passenger)
    const { link, rides } = (this.#trip ??= this.#depart())
    if (link) passenger.ride(rides.begin())
  }

  /** The link goes with its last rider, and says its reason. */
  left(passenger: Passenger, reason: CloseReason): void {
    if (!this.#passengers.delete(passenger) || !this.empty) return
    this.#stop(reason)
    this.#onEmpty()
  }

  /** This window leads no more. Who is not aboard yet finds the next one by itself. */
  end(reason: CloseReason): void {
    for (const passenger of this.#passengers) passenger.handOver(reason)
    this.#passengers.clear()
    this.#stop(reason)
  }

  #depart(): Trip {
    const trip: Trip = { rides: new Rides(), abort: new AbortController(), link: null }
    const sink: Sink = {
      onFrame: (frame) => trip.rides.onFrame(frame),
      onClosed: (reason) => this.#arrived(trip, reason),
    }
    this.#base.open(this.#target, sink, trip.abort.signal).then(
      (link) => this.#onOpen(trip, link),
      (error: unknown) => this.#arrived(trip, reasonOf(error)),
    )
    return trip
  }

  #onOpen(trip: Trip, link: Link): void {
    if (this.#trip !== trip) return link.close({ code: 'done' })
    trip.link = link
    trip.rides.carriedBy(link)
    for (const passenger of this.#passengers) passenger.ride(trip.rides.begin())
  }

  #arrived(trip: Trip, reason: CloseReason): void {
    if (this.#trip === trip) this.#trip = null
    trip.rides.onClosed(reason)
    if (!this.#trip) for (const passenger of this.#passengers) passenger.over(reason)
  }

  #stop(reason: CloseReason): void {
    const trip = this.#trip
    this.#trip = null
    trip?.link?.close(reason)
    trip?.abort.abort()
  }
}

class Passenger implements Sink {
  readonly isGuest: boolean
  readonly #port: HubPort
  readonly #hub: Hub
  #ride: LinkEnd | null = null
  #told: LinkInfo | null = null
  #took = 0
  #isOver = false

  constructor(port: HubPort, isGuest: boolean, hub: Hub) {
    this.#port = port
    this.isGuest = isGuest
    this.#hub = hub
    port.listen((message) => this.#hear(message))
  }

  greet(): void {
    this.#port.post({ type: 'here', hub: this.#hub.id })
  }

  ride(ride: LinkEnd): void {
    this.#ride = ride
    this.#told = ride.info
    this.#port.post({ type: 'open', info: ride.info })
    ride.attach(this)
  }

  #hear(message: FromRider): void {
    if (this.#isOver) return
    switch (message.type) {
      case 'ride':
        return message.hub === this.#hub.id ? this.#hub.board(this) : this.#dismiss()
      case 'ask':
        return this.greet()
      case 'close':
        return this.over(message.reason)
      case 'frame':
        return void this.#pass(message.frame)
    }
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.#tellInfo()
    this.#port.post({ type: 'frame', frame })
  }

  onClosed(reason: CloseReason): void {
    this.over(reason)
  }

  /** From whichever side: both hear it, and the hub. */
  over(reason: CloseReason): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#hub.left(this, reason)
    this.#ride?.close(reason)
    this.#port.post({ type: 'over', reason })
    this.#port.close()
  }

  handOver(reason: CloseReason): void {
    if (this.#ride) this.#port.post({ type: 'over', reason })
    this.#dismiss()
  }

  #dismiss(): void {
    this.#isOver = true
    this.#port.close()
  }

  async #pass(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#ride?.send(frame)
    } catch (error) {
      return this.over({ code: 'lost', detail: String(error) })
    }
    this.#took += frame.byteLength
    if (this.#took < TELL_BYTES || this.#isOver) return
    this.#tellInfo()
    this.#port.post({ type: 'took', bytes: this.#took })
    this.#took = 0
  }

  #tellInfo(): void {
    const info = this.#ride?.info
    if (!info || (this.#told && isSame(info, this.#told))) return
    this.#told = info
    this.#port.post({ type: 'info', info })
  }
}

/** It is read anew each time, and may be another object that says the same. */
const isSame = (one: LinkInfo, other: LinkInfo): boolean =>
  one.protocol === other.protocol && one.up === other.up
