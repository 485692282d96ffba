/**
 * Reports whether the store takes writes, by the outcome of the latest appends. A small row may still fit where an edit does not,
 * so a probe that succeeds proves nothing while appends fail.
 */
import type { SerializedError } from './worker-messages.ts'

/** A refused batch is retried within 2 s; when there is none, only a probe can show that the store has recovered. */
const FAILURE_VALID_MS = 5_000

const SQLITE_CONSTRAINT = 19

export class WriteHealth {
  #failure: { readonly error: Error; readonly at: number } | null = null

  /** Why appends fail now; null when they succeed, or none was tried lately. */
  get failure(): Error | null {
    if (this.#failure === null) return null
    return performance.now() - this.#failure.at < FAILURE_VALID_MS ? this.#failure.error : null
  }

  /** @param outcomes For each call its sequence numbers, or why nothing of it was written. */
  onCommitted(outcomes: readonly (readonly number[] | SerializedError)[]): void {
    const refused = outcomes.find(
      (outcome): outcome is SerializedError => 'message' in outcome && isDiskFailure(outcome),
    )
    if (refused) this.onFailed(new Error(refused.message))
    else if (outcomes.some((outcome) => !('message' in outcome))) this.#failure = null
  }

  onFailed(error: Error): void {
    this.#failure = { error, at: performance.now() }
  }
}

/** False for a fault of the edit: a healthy store refuses what breaks a rule of the tables. */
const isDiskFailure = ({ errcode }: SerializedError): boolean =>
  errcode !== undefined && (errcode & 0xff) !== SQLITE_CONSTRAINT
