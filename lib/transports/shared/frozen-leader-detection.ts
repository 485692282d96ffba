/**
 * How long a window that leads may leave a question unanswered. Where it was just found silent again and again, the machine is
 * slow rather than the window: each theft within half a minute doubles the patience, or windows would steal in turns.
 */
const FIRST_TIMEOUT_MS = 1_000
const MAX_TIMEOUT_MS = 8_000
const REMEMBERED_MS = 30_000

export class FrozenLeaderDetection {
  #steals: number[] = []

  /** @param now As all times here: milliseconds, monotonic. */
  onSteal(now: number): void {
    this.#steals = [...this.#recentSteals(now), now]
  }

  timeoutMs(now: number): number {
    return Math.min(MAX_TIMEOUT_MS, FIRST_TIMEOUT_MS * 2 ** this.#recentSteals(now).length)
  }

  #recentSteals(now: number): number[] {
    return this.#steals.filter((at) => now - at < REMEMBERED_MS)
  }
}
