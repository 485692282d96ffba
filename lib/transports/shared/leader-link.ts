/**
 * The leader's side of a shared connection: it keeps ONE link while there are followers, and passes frames between the link and
 * them. It opens nothing again (T3): when the link ends, it ends its followers.
 */
import type { CloseReason } from '../../protocol/close.ts'
import { randomId } from '../../protocol/ids.ts'
import { strings } from '../../strings/transports.ts'
import { HIGH_WATER_BYTES, type LinkEnd } from '../link.ts'
import { Multiplexer } from '../multiplexer.ts'
import type { Link, LinkInfo, Sink, LinkTarget, Transport } from '../transport.ts'
import { closeReasonOf } from '../transport.ts'
import type { FollowerMessage, LeaderPort } from './port.ts'

/** Below the server's limit for a link, so that the server refuses no follower. */
const MAX_FOLLOWERS = 60
/** Followers may always send their high-water mark less this. */
const CREDIT_BYTES = HIGH_WATER_BYTES / 4

/** The link that carries all followers, from its opening to its end. */
interface CarrierLink {
  readonly multiplexer: Multiplexer
  readonly abort: AbortController
  link: Link | null
}

export class LeaderLink {
  readonly id = randomId()
  readonly #base: Transport
  readonly #target: LinkTarget
  readonly #onEmpty: () => void
  readonly #followers = new Set<Follower>()
  #carrier: CarrierLink | null = null

  constructor(base: Transport, target: LinkTarget, onEmpty: () => void) {
    this.#base = base
    this.#target = target
    this.#onEmpty = onEmpty
  }

  get isEmpty(): boolean {
    return this.#followers.size === 0
  }

  get hasRemoteFollowers(): boolean {
    return [...this.#followers].some(({ isRemote }) => isRemote)
  }

  /** @param isRemote Whether the follower is another window. @returns A function to call when the follower is dead. */
  addPort(port: LeaderPort, isRemote: boolean): () => void {
    const follower = new Follower(port, isRemote, this)
    follower.announceLeader()
    return () => follower.end({ code: 'lost', detail: strings.details.windowGone })
  }

  // Followers call the methods below.

  addFollower(follower: Follower): void {
    if (this.#followers.size >= MAX_FOLLOWERS) {
      const detail = strings.details.tooManyFollowers(MAX_FOLLOWERS)
      return follower.end({ code: 'refused', detail })
    }
    this.#followers.add(follower)
    const { link, multiplexer } = (this.#carrier ??= this.#openCarrier())
    if (link) follower.attachSubLink(multiplexer.openSubLink())
  }

  /** The link ends with its last follower, for the same reason. */
  removeFollower(follower: Follower, reason: CloseReason): void {
    if (!this.#followers.delete(follower) || !this.isEmpty) return
    this.#closeCarrier(reason)
    this.#onEmpty()
  }

  /** This window is no longer the leader. A follower that is not connected yet finds the next leader by itself. */
  handOver(reason: CloseReason): void {
    for (const follower of this.#followers) follower.handOver(reason)
    this.#followers.clear()
    this.#closeCarrier(reason)
  }

  #openCarrier(): CarrierLink {
    const carrier: CarrierLink = { multiplexer: new Multiplexer(), abort: new AbortController(), link: null }
    const sink: Sink = {
      onFrame: (frame) => carrier.multiplexer.onFrame(frame),
      onClosed: (reason) => this.#onCarrierEnded(carrier, reason),
    }
    this.#base.open(this.#target, sink, carrier.abort.signal).then(
      (link) => this.#onOpen(carrier, link),
      (error: unknown) => this.#onCarrierEnded(carrier, closeReasonOf(error)),
    )
    return carrier
  }

  #onOpen(carrier: CarrierLink, link: Link): void {
    if (this.#carrier !== carrier) return link.close({ code: 'done' })
    carrier.link = link
    carrier.multiplexer.attachTo(link)
    for (const follower of this.#followers) follower.attachSubLink(carrier.multiplexer.openSubLink())
  }

  #onCarrierEnded(carrier: CarrierLink, reason: CloseReason): void {
    if (this.#carrier === carrier) this.#carrier = null
    carrier.multiplexer.onClosed(reason)
    if (!this.#carrier) for (const follower of this.#followers) follower.end(reason)
  }

  #closeCarrier(reason: CloseReason): void {
    const carrier = this.#carrier
    this.#carrier = null
    carrier?.link?.close(reason)
    carrier?.abort.abort()
  }
}

class Follower implements Sink {
  readonly isRemote: boolean
  readonly #port: LeaderPort
  readonly #leader: LeaderLink
  #subLink: LinkEnd | null = null
  #sentInfo: LinkInfo | null = null
  #forwardedBytes = 0
  #hasEnded = false

  constructor(port: LeaderPort, isRemote: boolean, leader: LeaderLink) {
    this.#port = port
    this.isRemote = isRemote
    this.#leader = leader
    port.listen((message) => this.#receive(message))
  }

  announceLeader(): void {
    this.#port.post({ type: 'here', hub: this.#leader.id })
  }

  attachSubLink(subLink: LinkEnd): void {
    this.#subLink = subLink
    this.#sentInfo = subLink.info
    this.#port.post({ type: 'open', info: subLink.info })
    subLink.attach(this)
  }

  #receive(message: FollowerMessage): void {
    if (this.#hasEnded) return
    switch (message.type) {
      case 'ride':
        return message.hub === this.#leader.id ? this.#leader.addFollower(this) : this.#closePort()
      case 'ask':
        return this.announceLeader()
      case 'close':
        return this.end(message.reason)
      case 'frame':
        return void this.#forward(message.frame)
    }
  }

  onFrame(frame: Uint8Array<ArrayBuffer>): void {
    this.#sendInfo()
    this.#port.post({ type: 'frame', frame })
  }

  onClosed(reason: CloseReason): void {
    this.end(reason)
  }

  /** Ends the follower for either side: the leader and both sides receive the reason. */
  end(reason: CloseReason): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#leader.removeFollower(this, reason)
    this.#subLink?.close(reason)
    this.#port.post({ type: 'over', reason })
    this.#port.close()
  }

  handOver(reason: CloseReason): void {
    if (this.#subLink) this.#port.post({ type: 'over', reason })
    this.#closePort()
  }

  #closePort(): void {
    this.#hasEnded = true
    this.#port.close()
  }

  async #forward(frame: Uint8Array<ArrayBuffer>): Promise<void> {
    try {
      await this.#subLink?.send(frame)
    } catch (error) {
      return this.end({ code: 'lost', detail: String(error) })
    }
    this.#forwardedBytes += frame.byteLength
    if (this.#forwardedBytes < CREDIT_BYTES || this.#hasEnded) return
    this.#sendInfo()
    this.#port.post({ type: 'took', bytes: this.#forwardedBytes })
    this.#forwardedBytes = 0
  }

  #sendInfo(): void {
    const info = this.#subLink?.info
    if (!info || (this.#sentInfo && isSame(info, this.#sentInfo))) return
    this.#sentInfo = info
    this.#port.post({ type: 'info', info })
  }
}

/** The info is read anew each time, and may be another object with the same values. */
const isSame = (one: LinkInfo, other: LinkInfo): boolean =>
  one.protocol === other.protocol && one.up === other.up
