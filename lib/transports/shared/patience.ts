/**
 * How long a window that leads may leave a question unanswered. Where it was just found silent again and again, the machine is
 * slow rather than the window: each theft within half a minute doubles the patience, or windows would steal in turns.
 */
const FIRST_MS = 1_000
const LONGEST_MS = 8_000
const REMEMBERED_MS = 30_000

export class Patience {
  #thefts: number[] = []

  /** @param now As all times here: milliseconds, monotonic. */
  stolen(now: number): void {
    this.#thefts = [...this.#recent(now), now]
  }

  ms(now: number): number {
    return Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#recent(now).length)
  }

  #recent(now: number): number[] {
    return this.#thefts.filter((at) => now - at < REMEMBERED_MS)
  }
}
