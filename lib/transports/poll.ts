/** Polling: sends a request at an interval, for networks that let nothing else through. */
import { type Downstream, createHttpTransport } from './http-transport.ts'
import { openPolling } from './polling.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    poll: true
  }
}

const linkPath = '/sync/poll'
/** The interval while somebody looks and something happens, and the interval otherwise. */
const ACTIVE_INTERVAL_MS = 250
const IDLE_INTERVAL_MS = 1_000
const ACTIVE_FOR_MS = 10_000

export const poll = createHttpTransport({
  id: 'poll',
  label: 'Polling',
  explanation: 'Asks again and again. The simplest transport, and the slowest.',
  capabilities: { fullDuplex: false, downFactor: 1 },
  // It holds no request open, and in a hidden leader it would poll only once a minute, for all windows.
  isShareable: false,
  linkPath,
  mayStreamBody: false,
  openDownstream: (downstream) =>
    openPolling(downstream, { linkPath, holdMs: 0, waitForNext: createPause() }),
})

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
