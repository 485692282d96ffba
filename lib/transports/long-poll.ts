/** Long polling: a request waits at the server until there is something to say. For networks that hold streams back or cut them. */
import { paths } from '../protocol/http.ts'
import { httpTransport } from './http-link.ts'
import { openPolling } from './polling.ts'

/** Proxies cut what waits for 30 s. */
const PATIENCE_MS = 25_000

const atOnce = Promise.resolve()

export const longPoll = httpTransport({
  id: 'long-poll',
  capabilities: { fullDuplex: false, downFactor: 1 },
  streams: true,
  openDown: (down) =>
    openPolling(down, { door: paths.longPoll, patienceMs: PATIENCE_MS, pause: () => atOnce }),
})
