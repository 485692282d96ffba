/** Polling: asks at an interval, as the plainest network lets it. */
import { paths } from '../protocol/http.ts'
import { type Down, httpTransport } from './http-link.ts'
import { openPolling } from './polling.ts'

/** While somebody looks and something happens, and otherwise. */
const LIVELY_MS = 250
const IDLE_MS = 1_000
const LIVELY_FOR_MS = 10_000

export const poll = httpTransport({
  id: 'poll',
  capabilities: { fullDuplex: false, downFactor: 1 },
  streams: false,
  openDown: (down) => openPolling(down, { door: paths.poll, patienceMs: 0, pause: pacing() }),
})

function pacing(): (down: Down, frames: number) => Promise<void> {
  let heardAt = performance.now()
  const isLively = ({ target, quietMs }: Down): boolean =>
    target.net.visible() && Math.min(quietMs, performance.now() - heardAt) < LIVELY_FOR_MS
  return async (down, frames) => {
    if (frames > 0) heardAt = performance.now()
    // In short steps, so that whoever begins to type is not answered after an idle second.
    for (let waited = 0; waited < (isLively(down) ? LIVELY_MS : IDLE_MS); waited += LIVELY_MS)
      await sleep(LIVELY_MS, down.signal)
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
