import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves at that time of performance.now() or later, and never before: a timer drops fractions of a ms, and may fire early. */
export async function sleepUntil(due: number): Promise<void> {
  do await sleep(Math.max(0, Math.ceil(due - performance.now())))
  while (performance.now() < due)
}
