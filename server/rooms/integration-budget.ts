/**
 * Limits the work that costly edits cause: a token bucket for each principal, and one for each document. Only what goes beyond an honest
 * edit is charged, so hardly anybody ever has a bucket. Knows principals, documents and units (integration-cost.ts); does not know edits.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import type { LimitSharing } from '../access/access-rate-limits.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** In units: a principal may take a tenth of one core, and two seconds of it at once. */
export const PRINCIPAL_WORK_RATE: Rate = { atOnce: 2_000_000, perSecond: 100_000 }
export const DOCUMENT_WORK_RATE: Rate = { atOnce: 4_000_000, perSecond: 200_000 }
/** People use a smaller share of their bucket now and then: they delete a long text, or send again what arrived. */
const TOLERATED_SHARE = 0.1
/** A refused principal waits until this much is in the bucket, and at least MIN_WAIT_MS. */
const MIN_LEFT_UNITS = 1_000
const MIN_WAIT_MS = 1_000

export class IntegrationBudget {
  readonly #principals: RateLimits
  readonly #documents: RateLimits
  readonly #chargedUnits: number

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(
    now: () => number = () => performance.now(),
    principal = PRINCIPAL_WORK_RATE,
    document = DOCUMENT_WORK_RATE,
    share: LimitSharing = (_name, limits) => limits,
  ) {
    this.#principals = share('work of principals', new RateLimits(principal, { now }))
    this.#documents = share('work of documents', new RateLimits(document, { now }))
    this.#chargedUnits = principal.atOnce * (1 - TOLERATED_SHARE)
  }

  /**
   * If a document's bucket is empty, only principals that were charged lately are refused: a stranger who empties it must not lock
   * out people who type. @throws {RoomRefusal} `overloaded`, with the time until a retry.
   */
  admit(principal: string, document: string): void {
    if (this.#principals.waitMs(principal, this.#chargedUnits) === 0) return
    const principalMs = this.#principals.waitMs(principal, MIN_LEFT_UNITS)
    const waitMs = Math.max(principalMs, this.#documents.waitMs(document, MIN_LEFT_UNITS))
    if (waitMs === 0) return
    throw new RoomRefusal({
      code: 'overloaded',
      detail: strings.work.tooMuch,
      retryAfterMs: Math.max(MIN_WAIT_MS, Math.ceil(waitMs)),
    })
  }

  /** A charge beyond what is left becomes a debt, up to one bucket. */
  charge(principal: string, document: string, units: number): void {
    if (units <= 0) return
    this.#principals.charge(principal, units)
    this.#documents.charge(document, units)
  }
}
