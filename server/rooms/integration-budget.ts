/**
 * How much time people may take from everybody else by edits that are dear to integrate: a token bucket for each principal, and one
 * for each document. Only what is beyond an honest edit's cost is charged, so nearly nobody ever has a bucket. Knows principals,
 * documents and milliseconds; does not know edits.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** In ms of processor time. */
export const PRINCIPAL_TIME_RATE: Rate = { atOnce: 2_000, perSecond: 100 }
export const DOCUMENT_TIME_RATE: Rate = { atOnce: 4_000, perSecond: 200 }
/** Of a principal's bucket. Who took less took it by chance: the first edits after a start, a collection of garbage. */
const TOLERATED_SHARE = 0.1
/** Whoever has to wait waits until so much is there, and at least so long. */
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
  ) {
    this.#principals = new RateLimits(principal, { now })
    this.#documents = new RateLimits(document, { now })
    this.#chargedMs = principal.atOnce * (1 - TOLERATED_SHARE)
  }

  /**
   * Where a document's bucket is empty, only those are refused who were charged lately: a stranger who empties it must not lock out
   * whoever types. @throws {RoomRefusal} `overloaded`, with the time after which it may be tried again.
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

  /** What is dearer than what is left is a debt, up to one bucket. */
  charge(principal: string, document: string, ms: number): void {
    if (ms <= 0) return
    this.#principals.charge(principal, ms)
    this.#documents.charge(document, ms)
  }
}
