/**
 * Limits the time that costly edits take from everybody else: a token bucket for each principal, and one for each document. Only the
 * time beyond an honest edit's is charged, so hardly anybody ever has a bucket. Knows principals, documents and milliseconds; does
 * not know edits.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import type { LimitSharing } from '../access/access-rate-limits.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** Rates in ms of processor time. */
export const PRINCIPAL_TIME_RATE: Rate = { atOnce: 2_000, perSecond: 100 }
export const DOCUMENT_TIME_RATE: Rate = { atOnce: 4_000, perSecond: 200 }
/** A smaller share of a principal's bucket is used by chance: by the first edits after a start, or a garbage collection. */
const TOLERATED_SHARE = 0.1
/** A refused principal waits until this much is in the bucket, and at least MIN_WAIT_MS. */
const MIN_LEFT_MS = 1
const MIN_WAIT_MS = 1_000

export class IntegrationBudget {
  readonly #principals: RateLimits
  readonly #documents: RateLimits
  readonly #chargedMs: number

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(
    now: () => number = () => performance.now(),
    principal = PRINCIPAL_TIME_RATE,
    document = DOCUMENT_TIME_RATE,
    share: LimitSharing = (_name, limits) => limits,
  ) {
    this.#principals = share('time of principals', new RateLimits(principal, { now }))
    this.#documents = share('time of documents', new RateLimits(document, { now }))
    this.#chargedMs = principal.atOnce * (1 - TOLERATED_SHARE)
  }

  /**
   * If a document's bucket is empty, only principals that were charged lately are refused: a stranger who empties it must not lock
   * out people who type. @throws {RoomRefusal} `overloaded`, with the time until a retry.
   */
  admit(principal: string, document: string): void {
    if (this.#principals.waitMs(principal, this.#chargedMs) === 0) return
    const principalMs = this.#principals.waitMs(principal, MIN_LEFT_MS)
    const waitMs = Math.max(principalMs, this.#documents.waitMs(document, MIN_LEFT_MS))
    if (waitMs === 0) return
    throw new RoomRefusal({
      code: 'overloaded',
      detail: strings.room.muchTime,
      retryAfterMs: Math.max(MIN_WAIT_MS, Math.ceil(waitMs)),
    })
  }

  /** A charge beyond what is left becomes a debt, up to one bucket. */
  charge(principal: string, document: string, ms: number): void {
    if (ms <= 0) return
    this.#principals.charge(principal, ms)
    this.#documents.charge(document, ms)
  }
}
