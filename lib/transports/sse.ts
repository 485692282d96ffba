/** Server-sent events down and requests up. */
import { createHttpTransport } from './http-transport.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    sse: true
  }
}

export const ssePaths = { ticket: '/sync/sse/ticket', events: '/sync/sse' } as const

export const sse = createHttpTransport({
  id: 'sse',
  label: 'Server-sent events',
  shortLabel: 'SSE',
  explanation: 'A stream down and requests up, as plain web traffic. Passes where WebSocket is blocked.',
  // Only a streamed body makes it full duplex, which is known only once a link is open (LinkInfo.up).
  capabilities: { fullDuplex: false, downFactor: 4 / 3 },
  isShareable: true,
  linkPath: ssePaths.ticket,
  otherPaths: [ssePaths.events],
  mayStreamBody: true,
  downstream: 'stream',
  loadDownstream: async () => (await import('./sse-downstream.ts')).createSseDownstream(ssePaths.events),
})
