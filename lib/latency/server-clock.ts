/** Asks the server what time it is: that gives the round trip, and how far its clock is from ours (L2). */
import type { LinkInfo } from '../transports/transport.ts'
import { linkKey } from './by-link.ts'
import { ClockEstimate, type Offset } from './clock-estimate.ts'
import type { Summary } from './state.ts'

type History = Summary['roundTrip']['history']

/** Two minutes, one a second. */
const MAX_HISTORY = 120
/** An answer that takes longer tells nothing of the clock; one that never comes is forgotten. In ms. */
const MAX_WAIT_MS = 60_000

export interface ServerClockParts {
  now(): number
  ask(token: number): void
  /** Grows with each link that came into use. */
  links(): number
  /** In use. */
  link(): LinkInfo | undefined
}

interface Asked {
  readonly at: number
  readonly links: number
}

export class ServerClock {
  /** Grows with each round trip. */
  changes = 0
  readonly #parts: ServerClockParts
  readonly #estimate = new ClockEstimate()
  readonly #asked = new Map<number, Asked>()
  #token = 0
  #history: History = []
  #base: number | undefined
  #baseOf = 0
  #measuredOn: LinkInfo | undefined

  constructor(parts: ServerClockParts) {
    this.#parts = parts
  }

  ask(): void {
    const now = this.#parts.now()
    for (const [token, { at }] of this.#asked) if (now - at > MAX_WAIT_MS) this.#asked.delete(token)
    this.#asked.set(++this.#token, { at: now, links: this.#parts.links() })
    this.#parts.ask(this.#token)
  }

  answered(token: number, micros: number): void {
    const asked = this.#asked.get(token)
    if (asked === undefined) return
    this.#asked.delete(token)
    const at = this.#parts.now()
    this.#estimate.add(asked.at, at, micros / 1000)
    // Down another link than up: of neither.
    if (asked.links === this.#parts.links()) this.#measured(at, at - asked.at)
  }

  /** Null where it was not asked lately. */
  get offset(): Offset | null {
    return this.#estimate.get(this.#parts.now())
  }

  /** It was, but by another transport than the one in use. */
  get isOutdated(): boolean {
    const link = this.#parts.link()
    const before = this.#measuredOn
    return link !== undefined && before !== undefined && linkKey(link) !== linkKey(before)
  }

  get roundTrip(): { now?: number; base?: number; history: History } {
    if (this.isOutdated) return { history: this.#history }
    const last = this.#history.at(-1)
    return {
      ...(last && { now: last.ms }),
      ...(this.#base !== undefined && { base: this.#base }),
      history: this.#history,
    }
  }

  /** What was asked on a former link or of a former server is not waited for. */
  forgetServer(): void {
    this.#asked.clear()
    this.#estimate.reset()
  }

  reset(): void {
    this.changes += 1
    this.#history = []
    this.#base = undefined
  }

  #measured(at: number, ms: number): void {
    this.changes += 1
    const links = this.#parts.links()
    const link = this.#parts.link()
    if (links !== this.#baseOf) this.#base = undefined
    this.#baseOf = links
    this.#measuredOn = link
    this.#base = Math.min(this.#base ?? ms, ms)
    this.#history = [...this.#history, { at, ms, ...(link && { link }) }].slice(-MAX_HISTORY)
  }
}
