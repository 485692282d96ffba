import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'

/** Turns the numbers of a step into choices among what there is. When they run out, more follow from the first. */
export class Choices {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** In [0, count). */
  below(count: number): number {
    return this.#next() % count
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!
  }

  /** Holds once in so many times. */
  oneIn(count: number): boolean {
    return this.below(count) === 0
  }

  #next(): number {
    const at = this.#at++
    return this.#numbers[at] ?? createSeededRandom(this.#numbers[0] ?? 0, String(at)).between(0, 9_999)
  }
}
