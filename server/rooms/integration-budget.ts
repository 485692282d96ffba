/**
 * How much time people may take from everybody else by edits that are dear to integrate: a token bucket for each principal, and one
 * for each document. Only what is beyond an honest edit's cost is charged, so nearly nobody ever has a bucket. Knows principals,
 * documents and milliseconds; does not know edits.
 */
import { RoomRefusal } from './rooms.ts'

interface Rate {
  readonly atOnceMs: number
  readonly msPerSecond: number
}

export const PRINCIPAL_RATE: Rate = { atOnceMs: 2_000, msPerSecond: 100 }
export const DOCUMENT_RATE: Rate = { atOnceMs: 4_000, msPerSecond: 200 }
/** Of a bucket. Who took less took it by chance: the first edits after a start, a collection of garbage. */
const CHANCE = 0.1
/** Whoever has to wait waits at least so long. */
const SHORTEST_WAIT_MS = 1_000
/** Beyond so many, buckets that are full again are dropped. */
const MAX_BUCKETS = 1_000

interface Bucket {
  leftMs: number
  at: number
}

export class IntegrationBudget {
  readonly #principals: Buckets
  readonly #documents: Buckets

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(
    now: () => number = () => performance.now(),
    principal = PRINCIPAL_RATE,
    document = DOCUMENT_RATE,
  ) {
    this.#principals = new Buckets(principal, now)
    this.#documents = new Buckets(document, now)
  }

  /**
   * Where a document's bucket is empty, only those are refused who were charged lately: a stranger who empties it must not lock out
   * whoever types. @throws {RoomRefusal} `overloaded`, with the time after which it may be tried again.
   */
  admit(principal: string, document: string): void {
    if (!this.#principals.isCharged(principal)) return
    const waitMs = Math.max(this.#principals.waitMs(principal), this.#documents.waitMs(document))
    if (waitMs === 0) return
    const detail = 'Your changes take too much of the server’s time. They are sent again in a while.'
    throw new RoomRefusal({ code: 'overloaded', detail, retryAfterMs: waitMs })
  }

  charge(principal: string, document: string, ms: number): void {
    if (ms <= 0) return
    this.#principals.take(principal, ms)
    this.#documents.take(document, ms)
  }
}

class Buckets {
  readonly #rate: Rate
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
  }

  isCharged(key: string): boolean {
    const bucket = this.#buckets.get(key)
    return bucket !== undefined && this.#left(bucket) < this.#rate.atOnceMs * (1 - CHANCE)
  }

  /** Until something is left; 0 where there is. */
  waitMs(key: string): number {
    const bucket = this.#buckets.get(key)
    const left = bucket ? this.#left(bucket) : this.#rate.atOnceMs
    if (left > 0) return 0
    return Math.max(SHORTEST_WAIT_MS, Math.ceil((-left / this.#rate.msPerSecond) * 1_000))
  }

  /** What is dearer than what is left is a debt, up to one bucket. */
  take(key: string, ms: number): void {
    const { atOnceMs } = this.#rate
    const bucket = this.#buckets.get(key)
    const leftMs = Math.max(-atOnceMs, (bucket ? this.#left(bucket) : atOnceMs) - ms)
    this.#buckets.set(key, { leftMs, at: this.#now() })
    if (this.#buckets.size > MAX_BUCKETS) this.#dropFull()
  }

  #left({ leftMs, at }: Bucket): number {
    const { atOnceMs, msPerSecond } = this.#rate
    return Math.min(atOnceMs, leftMs + ((this.#now() - at) / 1_000) * msPerSecond)
  }

  #dropFull(): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#left(bucket) >= this.#rate.atOnceMs) this.#buckets.delete(key)
  }
}
