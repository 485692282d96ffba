/** Receives by requests at an interval. */
import type { Downstream, OpenDownstream } from './http-link.ts'
import { openPolling } from './polling.ts'

/** The interval while somebody looks and something happens, and the interval otherwise. */
const ACTIVE_INTERVAL_MS = 250
const IDLE_INTERVAL_MS = 1_000
const ACTIVE_FOR_MS = 10_000

export const openPollDownstream: OpenDownstream = (downstream) =>
  openPolling(downstream, { holdMs: 0, waitForNext: createPause() })

function createPause(): (downstream: Downstream, frames: number) => Promise<void> {
  let receivedAt = performance.now()
  const isActive = ({ target, msSinceLastSend }: Downstream): boolean =>
    target.net.visible() && Math.min(msSinceLastSend, performance.now() - receivedAt) < ACTIVE_FOR_MS
  return async (downstream, frames) => {
    if (frames > 0) receivedAt = performance.now()
    // The pause is in short steps, so that somebody who begins to type does not wait for an idle second.
    for (
      let waited = 0;
      waited < (isActive(downstream) ? ACTIVE_INTERVAL_MS : IDLE_INTERVAL_MS);
      waited += ACTIVE_INTERVAL_MS
    )
      await sleep(ACTIVE_INTERVAL_MS, downstream.signal)
  }
}

/** Ends early when the signal is aborted. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
