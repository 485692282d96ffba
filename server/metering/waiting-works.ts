/**
 * The works of one payer that wait until they can be paid. Its windows take turns, so that one of them makes each other wait for one work:
 * behind an address, whoever comes by a link's token shares it with strangers. Knows windows and bytes; does not know prices.
 */
import { FairQueue } from '../fair-queue.ts'

/** How much of one payer may wait. A work counts as one, and once more for each 16 KiB that are held for it. */
const MAX_WAITING = 200
const HELD_BYTES_OF_ONE = 16 * 1024
/** A window for which less waits, such as the parts of one document, is let in past that, until there are ten times as many. */
const FEW_WAITING = 4
const MAX_WAITING_OF_FEW = 10 * MAX_WAITING

export class WaitingWorks {
  readonly #turns = new FairQueue(1)
  /** By window. */
  readonly #counts = new Map<string, number>()
  #count = 0

  get isEmpty(): boolean {
    return this.#count === 0
  }

  hasRoomFor(window: string): boolean {
    const hasFew = (this.#counts.get(window) ?? 0) < FEW_WAITING
    return this.#count < (hasFew ? MAX_WAITING_OF_FEW : MAX_WAITING)
  }

  async runInTurn(window: string, heldBytes: number, run: () => Promise<void>): Promise<void> {
    const count = 1 + Math.floor(heldBytes / HELD_BYTES_OF_ONE)
    this.#add(window, count)
    try {
      await this.#turns.run(window, run)
    } finally {
      this.#add(window, -count)
    }
  }

  #add(window: string, count: number): void {
    const own = (this.#counts.get(window) ?? 0) + count
    if (own > 0) this.#counts.set(window, own)
    else this.#counts.delete(window)
    this.#count += count
  }
}
