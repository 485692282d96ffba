/** Long polling: a request waits at the server until it has a frame. For networks that hold streams back or cut them. */
import { createHttpTransport } from './http-transport.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    'long-poll': true
  }
}

/** Proxies cut requests that wait for 30 s. */
const HOLD_MS = 25_000

const noPause = Promise.resolve()

export const longPoll = createHttpTransport({
  id: 'long-poll',
  label: 'Long polling',
  explanation: 'A request waits at the server until there is news. For networks that hold streams back.',
  capabilities: { fullDuplex: false, downFactor: 1 },
  isShareable: true,
  linkPath: '/sync/long-poll',
  mayStreamBody: true,
  downstream: 'held requests',
  async loadDownstream() {
    const { openPolling } = await import('./polling.ts')
    return (downstream) => openPolling(downstream, { holdMs: HOLD_MS, waitForNext: () => noPause })
  },
})
