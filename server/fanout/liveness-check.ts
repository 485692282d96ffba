/** Asks a medium again and again whether it is there. */
import type { Clock } from '../../lib/session/clock.ts'

/** Silence is noticed after 2 s at most: before the leases of nodes that cannot be heard run out. */
const INTERVAL_MS = 500
const MAX_MISSED = 3

/**
 * Counts intervals without an answer rather than milliseconds: a process that was suspended has missed one interval, not many.
 * @param onFailed Called once.
 * @returns Ends it.
 */
export function startLivenessCheck(
  clock: Clock,
  check: () => Promise<void>,
  onFailed: (error: Error) => void,
): () => void {
  let isWaiting = false
  let missed = 0
  let isEnded = false
  let cancelTimer: () => void

  const fail = (error: Error): void => {
    if (isEnded) return
    end()
    onFailed(error)
  }
  const end = (): void => {
    isEnded = true
    cancelTimer()
  }
  const tick = (): void => {
    if (isWaiting) missed += 1
    if (missed === MAX_MISSED)
      return fail(new Error(`it has not answered for ${INTERVAL_MS * MAX_MISSED} ms`))
    cancelTimer = clock.after(INTERVAL_MS, tick)
    if (isWaiting) return
    isWaiting = true
    check().then(() => {
      isWaiting = false
      missed = 0
    }, fail)
  }
  tick()
  return end
}
