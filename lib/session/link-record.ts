/** Figures about the links of a session. Others tell it what happened; it alone writes the figures. */
import { type CloseReason, describeCloseWithin } from '../protocol/close.ts'
import type { TransportId } from '../transports/transport.ts'
import type { Clock } from './clock.ts'
import type { LinkTraffic } from './framed-link.ts'

/** People look at them, and read no more than this. */
const MAX_LINK_CHANGES = 50

export interface LinkChange {
  /** On the session's clock. */
  readonly at: number
  /** '' for the first. */
  readonly from: TransportId | ''
  readonly to: TransportId
  readonly reason: string
}

export class LinkRecord {
  readonly #clock: Clock
  readonly traffic: LinkTraffic = { framesUp: 0, framesDown: 0, bytesUp: 0, bytesDown: 0 }
  /** How many links were proven. */
  opened = 0
  /** How many of them took over from another. */
  switches = 0
  /** The longest time without any link since the first one was up. */
  longestGapMs = 0
  /** The latest measurement on the link in use; undefined before the first. */
  roundTripMs: number | undefined
  /** The time from the opening of the latest link to its welcome: a round trip, and what opening takes. */
  openingMs: number | undefined
  /** The latest links in use, the first one included. */
  readonly linkChanges: LinkChange[] = []
  /** The end of the latest link, while there is none. */
  #loss: { readonly at: number; readonly reason: CloseReason } | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Drops the old link's round trip: it says nothing about the new link. */
  onWelcome(openingMs: number): void {
    this.openingMs = openingMs
    this.roundTripMs = undefined
  }

  /** A ping was answered, or the network is known to be this slow. */
  onRoundTrip(roundTripMs: number): void {
    this.roundTripMs = roundTripMs
  }

  /** @param fallbackReason The reason in words, used unless the previous link was lost. */
  onProven(to: TransportId, fallbackReason: string): void {
    const at = this.#clock.now()
    if (this.#loss) this.longestGapMs = Math.max(this.longestGapMs, at - this.#loss.at)
    else if (this.opened > 0) this.switches += 1
    this.opened += 1
    const reason = this.#loss ? describeCloseWithin(this.#loss.reason) : fallbackReason
    this.linkChanges.push({ at, from: this.linkChanges.at(-1)?.to ?? '', to, reason })
    if (this.linkChanges.length > MAX_LINK_CHANGES) this.linkChanges.shift()
    this.#loss = null
  }

  onLost(reason: CloseReason): void {
    this.#loss = { at: this.#clock.now(), reason }
  }
}
