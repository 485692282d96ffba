/**
 * Whether the store takes what is written, by what became of the latest appends. A small row may still find room where an edit finds
 * none, so a probe that succeeds says nothing while appends fail.
 */
import type { SerializedError } from './worker-messages.ts'

/** A batch that was refused is offered again within 2 s; where none is, only a probe can tell that the store is well again. */
const FAILURE_VALID_MS = 5_000

const SQLITE_CONSTRAINT = 19

export class WriteHealth {
  #failure: { readonly error: Error; readonly at: number } | null = null

  /** Why appends fail now; null where they succeed, or none was tried lately. */
  get failure(): Error | null {
    if (this.#failure === null) return null
    return performance.now() - this.#failure.at < FAILURE_VALID_MS ? this.#failure.error : null
  }

  /** @param outcomes Of each call its sequence numbers, or why nothing of it was written. */
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

/** And not of the edit: what breaks a rule of the tables is refused by a healthy store. */
const isDiskFailure = ({ errcode }: SerializedError): boolean =>
  errcode !== undefined && (errcode & 0xff) !== SQLITE_CONSTRAINT
