/** Figures about the links of a session. */
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
  switches = 0
  /** The longest time without any link since the first one was up. */
  longestGapMs = 0
  /** Measured by ping on the link in use; undefined before the first answer. */
  roundTripMs: number | undefined
  /** The time from the opening of the latest link to its welcome: a round trip, and what opening takes. */
  openingMs: number | undefined
  /** The latest links in use, the first one included. */
  readonly linkChanges: LinkChange[] = []
  #lossReason: CloseReason | undefined
  #gapSince: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Drops the old link's round trip: it says nothing about the new link. */
  onWelcome(openingMs: number): void {
    this.openingMs = openingMs
    this.roundTripMs = undefined
  }

  /** @param fallbackReason The reason in words, used unless the previous link was lost. */
  addLinkChange(to: TransportId, fallbackReason: string): void {
    const reason = this.#lossReason ? describeCloseWithin(this.#lossReason) : fallbackReason
    this.#lossReason = undefined
    this.linkChanges.push({ at: this.#clock.now(), from: this.linkChanges.at(-1)?.to ?? '', to, reason })
    if (this.linkChanges.length > MAX_LINK_CHANGES) this.linkChanges.shift()
  }

  beginGap(reason: CloseReason): void {
    this.#lossReason = reason
    this.#gapSince = this.#clock.now()
  }

  endGap(): void {
    if (this.#gapSince === null) return
    this.longestGapMs = Math.max(this.longestGapMs, this.#clock.now() - this.#gapSince)
    this.#gapSince = null
  }
}
