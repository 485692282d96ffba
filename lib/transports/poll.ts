/** Polling: sends a request at an interval, for networks that let nothing else through. */
import { createHttpTransport } from './http-transport.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    poll: true
  }
}

export const poll = createHttpTransport({
  id: 'poll',
  label: 'Polling',
  explanation: 'Asks again and again. The simplest transport, and the slowest.',
  capabilities: { fullDuplex: false, downFactor: 1 },
  // It holds no request open, and a worker does not know whether somebody looks, as its interval needs.
  isShareable: false,
  linkPath: '/sync/poll',
  mayStreamBody: false,
  downstream: 'timed requests',
  loadDownstream: async () => (await import('./poll-downstream.ts')).openPollDownstream,
})
