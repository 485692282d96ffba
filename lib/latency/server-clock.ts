/** Asks the server for its time: the response gives the round trip, and how far its clock is from this one (L2). */
import type { LinkInfo } from '../transports/transport.ts'
import { linkKey } from './edits-by-link.ts'
import { ClockEstimate, type ClockOffset } from './clock-estimate.ts'
import type { LatencySummary } from './latency-state.ts'

type History = LatencySummary['roundTrip']['history']

/** Two minutes, at one a second. */
const MAX_HISTORY = 120
/** A response that takes longer says nothing about the clock; a request whose response never comes is forgotten. In ms. */
const MAX_RESPONSE_MS = 60_000

export interface ServerClockDependencies {
  now(): number
  requestClock(token: number): void
  /** Grows with each link that comes into use. */
  linkCount(): number
  /** The link in use. */
  currentLink(): LinkInfo | undefined
}

interface ClockRequest {
  readonly at: number
  readonly linkCount: number
}

export class ServerClock {
  /** Grows with each round trip. */
  revision = 0
  readonly #dependencies: ServerClockDependencies
  readonly #estimate = new ClockEstimate()
  readonly #pending = new Map<number, ClockRequest>()
  #token = 0
  #history: History = []
  #leastRoundTrip: number | undefined
  #leastRoundTripLinkCount = 0
  #measuredLink: LinkInfo | undefined

  constructor(dependencies: ServerClockDependencies) {
    this.#dependencies = dependencies
  }

  requestTime(): void {
    const now = this.#dependencies.now()
    for (const [token, { at }] of this.#pending) if (now - at > MAX_RESPONSE_MS) this.#pending.delete(token)
    this.#pending.set(++this.#token, { at: now, linkCount: this.#dependencies.linkCount() })
    this.#dependencies.requestClock(this.#token)
  }

  onResponse(token: number, micros: number): void {
    const request = this.#pending.get(token)
    if (request === undefined) return
    this.#pending.delete(token)
    const at = this.#dependencies.now()
    this.#estimate.add(request.at, at, micros / 1000)
    // A response that came by another link than its request belongs to neither.
    if (request.linkCount === this.#dependencies.linkCount()) this.#recordRoundTrip(at, at - request.at)
  }

  /** Returns null where there was no recent response. */
  get offset(): ClockOffset | null {
    return this.#estimate.get(this.#dependencies.now())
  }

  /** Whether the latest round trip was measured on another transport than the one in use. */
  get isOutdated(): boolean {
    const link = this.#dependencies.currentLink()
    const measuredLink = this.#measuredLink
    return link !== undefined && measuredLink !== undefined && linkKey(link) !== linkKey(measuredLink)
  }

  get roundTrip(): { now?: number; base?: number; history: History } {
    if (this.isOutdated) return { history: this.#history }
    const last = this.#history.at(-1)
    return {
      ...(last && { now: last.ms }),
      ...(this.#leastRoundTrip !== undefined && { base: this.#leastRoundTrip }),
      history: this.#history,
    }
  }

  /** Requests on a former link or to a former server are dropped. */
  forgetServer(): void {
    this.#pending.clear()
    this.#estimate.reset()
  }

  reset(): void {
    this.revision += 1
    this.#history = []
    this.#leastRoundTrip = undefined
  }

  #recordRoundTrip(at: number, ms: number): void {
    this.revision += 1
    const linkCount = this.#dependencies.linkCount()
    const link = this.#dependencies.currentLink()
    if (linkCount !== this.#leastRoundTripLinkCount) this.#leastRoundTrip = undefined
    this.#leastRoundTripLinkCount = linkCount
    this.#measuredLink = link
    this.#leastRoundTrip = Math.min(this.#leastRoundTrip ?? ms, ms)
    this.#history = [...this.#history, { at, ms, ...(link && { link }) }].slice(-MAX_HISTORY)
  }
}
