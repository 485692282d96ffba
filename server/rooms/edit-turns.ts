/**
 * Divides edits among turns of the event loop, since one message may bring thousands: of a principal so many are taken in one turn, in all
 * documents, and the others in later turns. Knows principals and bytes; does not know edits.
 */
import { nextTurn } from './run-steps.ts'

/** An edit of a letter takes some 20 µs, so this is about 10 ms. */
export const MAX_EDITS_A_TURN = 512
/** An edit counts once more for each of these. */
const BYTES_OF_AN_EDIT = 128

export class EditTurns {
  readonly #taken = new Map<string, number>()
  #next: Promise<void> | null = null

  /** Counts the edit and returns null if it may be taken in this turn; otherwise returns when to ask again. */
  take(principal: string, bytes: number): Promise<void> | null {
    this.#next ??= this.#endTurn()
    const taken = this.#taken.get(principal) ?? 0
    if (taken >= MAX_EDITS_A_TURN) return this.#next
    this.#taken.set(principal, taken + 1 + Math.floor(bytes / BYTES_OF_AN_EDIT))
    return null
  }

  async #endTurn(): Promise<void> {
    await nextTurn()
    this.#taken.clear()
    this.#next = null
  }
}
