/** What the links of a session leave behind in numbers. */
import { type CloseReason, describeCloseWithin } from '../protocol/close.ts'
import type { TransportId } from '../transports/transport.ts'
import type { Clock } from './clock.ts'
import type { LinkTraffic } from './framed-link.ts'

/** Looked at by people, who read no more. */
const MAX_LINK_CHANGES = 50

export interface LinkChange {
  /** By the session's clock. */
  readonly at: number
  /** '' for the first. */
  readonly from: TransportId | ''
  readonly to: TransportId
  readonly reason: string
}

export class LinkRecord {
  readonly #clock: Clock
  readonly traffic: LinkTraffic = { framesUp: 0, framesDown: 0, bytesUp: 0, bytesDown: 0 }
  /** Links that were proven. */
  opened = 0
  switches = 0
  /** Longest time without any link since the first one was up. */
  longestGapMs = 0
  /** By ping, on the link in use; undefined before the first answer. */
  roundTripMs: number | undefined
  /** From the opening of the latest link until it was welcomed: a round trip, and what opening takes. */
  openingMs: number | undefined
  /** The latest links in use, the first one included. */
  readonly linkChanges: LinkChange[] = []
  #lossReason: CloseReason | undefined
  #gapSince: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What was measured on the link before it says nothing of a new one. */
  onWelcome(openingMs: number): void {
    this.openingMs = openingMs
    this.roundTripMs = undefined
  }

  /** @param fallbackReason In words, unless the link before it was lost: then that is why. */
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
