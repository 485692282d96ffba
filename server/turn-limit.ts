/**
 * Divides what a principal brings among turns of the event loop, since one message may bring thousands of edits, and one read thousands of
 * messages: so many are taken in one turn, in all documents and connections, and the others in later turns. Knows principals and bytes.
 */
import { nextTurn } from './rooms/run-steps.ts'

/** To receive a message or an edit of a letter takes up to 20 µs, so this is about 10 ms. */
export const MAX_TAKEN_A_TURN = 512

export class TurnLimit {
  readonly #itemBytes: number
  readonly #taken = new Map<string, number>()
  #next: Promise<void> | null = null

  /** @param itemBytes An item counts once more for each of these. */
  constructor(itemBytes: number) {
    this.#itemBytes = itemBytes
  }

  /** Counts the item and returns null if it may be taken in this turn; otherwise returns when to ask again. */
  take(principal: string, bytes: number): Promise<void> | null {
    this.#next ??= this.#endTurn()
    const taken = this.#taken.get(principal) ?? 0
    if (taken >= MAX_TAKEN_A_TURN) return this.#next
    this.#taken.set(principal, taken + 1 + Math.floor(bytes / this.#itemBytes))
    return null
  }

  async #endTurn(): Promise<void> {
    await nextTurn()
    this.#taken.clear()
    this.#next = null
  }
}
