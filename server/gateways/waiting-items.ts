/** A queue of messages or edits of a client that is not ready for them, and its size in bytes. */

/** A waiting message, or a piece of one, costs this much besides its bytes. */
export const MESSAGE_COST_BYTES = 128
const MAX_WAITING_BYTES = 4 * 1024 * 1024

export class WaitingItems<Item> {
  #items: Item[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get isOverLimit(): boolean {
    return this.#bytes > MAX_WAITING_BYTES
  }

  add(item: Item, bytes: number): void {
    this.#items.push(item)
    this.#bytes += bytes + MESSAGE_COST_BYTES
  }

  takeAll(): Item[] {
    const items = this.#items
    this.#items = []
    this.#bytes = 0
    return items
  }
}
