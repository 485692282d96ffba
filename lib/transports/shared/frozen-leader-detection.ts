/**
 * How long a leader may leave a ping unanswered. If leaders were found silent again and again, the machine is slow rather than
 * the window. So each steal within half a minute doubles the timeout: otherwise windows would steal the lock in turns.
 */
const FIRST_TIMEOUT_MS = 1_000
const MAX_TIMEOUT_MS = 8_000
const REMEMBERED_MS = 30_000

export class FrozenLeaderDetection {
  #steals: number[] = []

  /** @param now Milliseconds, monotonic, like all times here. */
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
