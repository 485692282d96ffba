/** Token buckets (A6): an amount at once, and an amount a second after that. They know time and keys; they do not know what is limited. */

export interface Rate {
  readonly atOnce: number
  readonly perSecond: number
}

/** Returns milliseconds on any scale that only rises. */
interface MonotonicClock {
  now(): number
}

export class RateLimit {
  readonly #rate: Rate
  readonly #clock: MonotonicClock
  #tokens: number
  #refilledAt: number

  constructor(rate: Rate, clock: MonotonicClock) {
    this.#rate = rate
    this.#clock = clock
    this.#tokens = rate.atOnce
    this.#refilledAt = clock.now()
  }

  /** Returns false when the cost is too much for now. */
  take(cost = 1): boolean {
    this.#refill()
    if (this.#tokens < cost) return false
    this.#tokens -= cost
    return true
  }

  /** Takes the cost in any case; missing tokens become a debt of at most one bucket. */
  charge(cost: number): void {
    this.#refill()
    this.#tokens = Math.max(-this.#rate.atOnce, this.#tokens - cost)
  }

  /** Returns tokens that were taken and not needed. */
  refund(cost = 1): void {
    this.#tokens = Math.min(this.#rate.atOnce, this.#tokens + cost)
  }

  /** Returns the milliseconds until `take(cost)` would succeed, and Infinity for a cost that never fits. */
  waitMs(cost = 1): number {
    this.#refill()
    const missing = cost - this.#tokens
    if (missing <= 0) return 0
    return cost > this.#rate.atOnce ? Infinity : (missing / this.#rate.perSecond) * 1000
  }

  /** A full bucket equals a new one, and need not be remembered. */
  get isFull(): boolean {
    this.#refill()
    return this.#tokens === this.#rate.atOnce
  }

  #refill(): void {
    const { atOnce, perSecond } = this.#rate
    const now = this.#clock.now()
    this.#tokens = Math.min(atOnce, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond)
    this.#refilledAt = now
  }
}

/** The most addresses or people to remember: some 10 MB. */
const MAX_KEYS = 50_000

/** Has a bucket for each key. Full buckets are dropped, and where that is not enough, the least recently used ones. */
export class RateLimits {
  readonly #rate: Rate | null
  readonly #clock: MonotonicClock
  readonly #maxKeys: number
  /** The least recently used bucket comes first. */
  readonly #buckets = new Map<string, RateLimit>()
  /** Called with what is taken here; negative for a refund. Several nodes take it from their buckets, too. */
  onTaken: (key: string, cost: number) => void = () => {}

  /** @param rate Null: no limit. */
  constructor(rate: Rate | null, clock: MonotonicClock, maxKeys = MAX_KEYS) {
    this.#rate = rate
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  /** Returns 0 when it took the cost; otherwise the milliseconds to wait. */
  take(key: string, cost = 1): number {
    const bucket = this.#bucketOf(key)
    if (!bucket) return 0
    if (!bucket.take(cost)) return bucket.waitMs(cost)
    this.onTaken(key, cost)
    return 0
  }

  charge(key: string, cost: number): void {
    this.chargeSilently(key, cost)
    if (this.#rate) this.onTaken(key, cost)
  }

  /** The same for what was taken elsewhere. @param cost Negative for a refund. */
  chargeSilently(key: string, cost: number): void {
    if (cost < 0) this.#buckets.get(key)?.refund(-cost)
    else this.#bucketOf(key)?.charge(cost)
  }

  /** Returns tokens that were taken and not needed. */
  refund(key: string, cost = 1): void {
    this.#buckets.get(key)?.refund(cost)
    if (this.#rate) this.onTaken(key, -cost)
  }

  /** Returns what `take` would; takes nothing. */
  waitMs(key: string, cost = 1): number {
    const bucket = this.#buckets.get(key)
    if (bucket) return bucket.waitMs(cost)
    return this.#rate && cost > this.#rate.atOnce ? Infinity : 0
  }

  get size(): number {
    return this.#buckets.size
  }

  /** True for a cost of less than a thousandth of a bucket. */
  isSmall(cost: number): boolean {
    return this.#rate !== null && Math.abs(cost) < this.#rate.atOnce / 1_000
  }

  #bucketOf(key: string): RateLimit | null {
    if (!this.#rate) return null
    const bucket = this.#buckets.get(key) ?? new RateLimit(this.#rate, this.#clock)
    this.#buckets.delete(key)
    if (this.#buckets.size >= this.#maxKeys) this.#evictBuckets()
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Evicts an eighth at a time, so that a flood of keys does not walk over all buckets for each new one. */
  #evictBuckets(): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key)
    const maxAfter = Math.floor((this.#maxKeys * 7) / 8)
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= maxAfter) return
      this.#buckets.delete(key)
    }
  }
}
