/** Long polling: a request waits at the server until it has a frame. For networks that hold streams back or cut them. */
import { paths } from '../protocol/http.ts'
import { createHttpTransport } from './http-transport.ts'
import { openPolling } from './polling.ts'

/** Proxies cut requests that wait for 30 s. */
const HOLD_MS = 25_000

const noPause = Promise.resolve()

export const longPoll = createHttpTransport({
  id: 'long-poll',
  mayStreamBody: true,
  openDownstream: (downstream) =>
    openPolling(downstream, { path: paths.longPoll, holdMs: HOLD_MS, waitForNext: () => noPause }),
})
