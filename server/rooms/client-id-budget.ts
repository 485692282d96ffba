/**
 * Limits how fast a document part gets new client ids. Yjs walks over all ids of a document in each transaction, so each id costs
 * every later edit half a microsecond, for good. Knows principals, document parts and counts; does not know edits.
 */
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { LimitSharing } from '../access/access-rate-limits.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** For one principal in one document part. A window has one id; an import has the ids of everybody who ever wrote the text. */
export const PRINCIPAL_ID_RATE: Rate = { atOnce: 2_000, perSecond: 0.5 }
/** For all principals in one document part. */
export const DOCUMENT_ID_RATE: Rate = { atOnce: 10_000, perSecond: 1 }
/** How many ids a principal may bring, for its windows, though others have used up the document's. */
const MIN_PRINCIPAL_IDS = 5
const MIN_WAIT_MS = 1_000

export class ClientIdBudget {
  readonly #principals: RateLimits
  readonly #documents: RateLimits
  readonly #principalIds: number

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(
    now: () => number = () => performance.now(),
    principal = PRINCIPAL_ID_RATE,
    document = DOCUMENT_ID_RATE,
    share: LimitSharing = (_name, limits) => limits,
  ) {
    this.#principals = share('client ids of principals', new RateLimits(principal, { now }))
    this.#principalIds = principal.atOnce
    this.#documents = share('client ids of documents', new RateLimits(document, { now }))
  }

  /**
   * If a document's bucket is empty, a principal that brought only a few ids is still admitted: a stranger who empties the bucket
   * must not lock out people who open a window. Charges nothing. @throws {RoomRefusal} `overloaded`, with the time until a retry.
   */
  admit(principal: string, document: string, ids: number): void {
    if (ids === 0) return // the usual case
    const key = keyOf(principal, document)
    if (this.#principals.waitMs(key, this.#principalIds - MIN_PRINCIPAL_IDS + ids) === 0) return
    const principalMs = this.#principals.waitMs(key, ids)
    const waitMs = Math.max(principalMs, this.#documents.waitMs(document, ids))
    if (waitMs === 0) return
    throw new RoomRefusal({
      code: 'overloaded',
      detail: serverRefusalsStrings.room.manyNewWindows,
      retryAfterMs: Math.max(MIN_WAIT_MS, Math.ceil(waitMs)),
    })
  }

  charge(principal: string, document: string, ids: number): void {
    if (ids === 0) return
    this.#principals.charge(keyOf(principal, document), ids)
    this.#documents.charge(document, ids)
  }
}

const keyOf = (principal: string, document: string): string => `${principal} ${document}`
