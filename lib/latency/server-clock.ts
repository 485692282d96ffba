/** Asks the server what time it is: that gives the round trip, and how far its clock is from ours (L2). */
import { ClockEstimate, type Offset } from './clock-estimate.ts'

type History = readonly { readonly at: number; readonly ms: number }[]

/** Two minutes, one a second. */
const MAX_HISTORY = 120
/** An answer that takes longer tells nothing of the clock; one that never comes is forgotten. In ms. */
const MAX_WAIT_MS = 60_000

export interface ServerClockParts {
  now(): number
  ask(token: number): void
  /** Grows with each link that came into use. */
  links(): number
}

export class ServerClock {
  /** Grows with each round trip. */
  changes = 0
  readonly #parts: ServerClockParts
  readonly #estimate = new ClockEstimate()
  readonly #asked = new Map<number, number>()
  #token = 0
  #history: History = []
  #base: number | undefined
  #baseOf = 0

  constructor(parts: ServerClockParts) {
    this.#parts = parts
  }

  ask(): void {
    const now = this.#parts.now()
    for (const [token, at] of this.#asked) if (now - at > MAX_WAIT_MS) this.#asked.delete(token)
    this.#asked.set(++this.#token, now)
    this.#parts.ask(this.#token)
  }

  answered(token: number, micros: number): void {
    const asked = this.#asked.get(token)
    if (asked === undefined) return
    this.#asked.delete(token)
    const at = this.#parts.now()
    this.#estimate.add(asked, at, micros / 1000)
    this.#measured(at, at - asked)
  }

  /** Null where it was not asked lately. */
  get offset(): Offset | null {
    return this.#estimate.get(this.#parts.now())
  }

  get roundTrip(): { now?: number; base?: number; history: History } {
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
    if (links !== this.#baseOf) this.#base = undefined
    this.#baseOf = links
    this.#base = Math.min(this.#base ?? ms, ms)
    this.#history = [...this.#history, { at, ms }].slice(-MAX_HISTORY)
  }
}
