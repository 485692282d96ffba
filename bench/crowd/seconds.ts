/** What a crowd did in each second. For a thread and for a page alike. */

export interface SecondCounts {
  readonly sent: number
  /** The server's word that it has the edit, or the edit itself, came back to its author. */
  readonly acknowledged: number
  readonly delivered: number
}

type Counting = { -readonly [What in keyof SecondCounts]: SecondCounts[What] }

export class SecondCounters {
  readonly #startAt: number
  readonly #all: Counting[] = []

  constructor(startAt: number) {
    this.#startAt = startAt
  }

  count(what: keyof SecondCounts, at: number): void {
    const second = Math.max(0, Math.floor((at - this.#startAt) / 1000))
    while (this.#all.length <= second) this.#all.push({ sent: 0, acknowledged: 0, delivered: 0 })
    this.#all[second]![what]++
  }

  /** The one that follows the end, for what was still on its way, is the last. */
  until(end: number): readonly SecondCounts[] {
    return this.#all.slice(0, Math.ceil((end - this.#startAt) / 1000) + 1)
  }
}
