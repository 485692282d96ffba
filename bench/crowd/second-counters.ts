/** Counts what a crowd does in each second, in a thread or in a page. */

export interface SecondCounts {
  readonly sent: number
  /** Edits that were acknowledged, or came back, to their author. */
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

  /** Returns the seconds up to `end`, and one more for what arrived after it. */
  until(end: number): readonly SecondCounts[] {
    return this.#all.slice(0, Math.ceil((end - this.#startAt) / 1000) + 1)
  }
}
