/**
 * How fast a document part may get new client ids. Yjs walks over all ids of a document in each transaction, so that every id costs
 * every later edit half a microsecond, and is never forgotten. Knows principals, document parts and counts; does not know edits.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import { type Rate, RateLimits } from '../rate-limit.ts'
import { RoomRefusal } from './rooms.ts'

/** Of one principal in one document part. A window has one id; an import has those of everybody who ever wrote the text. */
export const PRINCIPAL_ID_RATE: Rate = { atOnce: 2_000, perSecond: 0.5 }
/** Of all in one document part. */
export const DOCUMENT_ID_RATE: Rate = { atOnce: 10_000, perSecond: 1 }
/** Ids that a principal may bring though others have taken all of the document's: its windows. */
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
  ) {
    this.#principals = new RateLimits(principal, { now })
    this.#principalIds = principal.atOnce
    this.#documents = new RateLimits(document, { now })
  }

  /**
   * Where a document's bucket is empty, whoever brought no more than a few ids is not refused: a stranger who empties it must not lock
   * out whoever opens a window. Takes nothing. @throws {RoomRefusal} `overloaded`, with the time after which it may be tried again.
   */
  admit(principal: string, document: string, ids: number): void {
    if (ids === 0) return // as nearly always
    const key = keyOf(principal, document)
    if (this.#principals.waitMs(key, this.#principalIds - MIN_PRINCIPAL_IDS + ids) === 0) return
    const principalMs = this.#principals.waitMs(key, ids)
    const waitMs = Math.max(principalMs, this.#documents.waitMs(document, ids))
    if (waitMs === 0) return
    throw new RoomRefusal({
      code: 'overloaded',
      detail: strings.room.manyNewWindows,
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
