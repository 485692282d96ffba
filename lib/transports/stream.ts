/** An HTTP stream down and requests up. It is binary, and so a little leaner than events. */
import { createHttpTransport } from './http-transport.ts'

declare module './transport.ts' {
  interface NetworkTransports {
    stream: true
  }
}

export const stream = createHttpTransport({
  id: 'stream',
  label: 'HTTP stream',
  explanation: 'One long answer down and requests up. As quick as server-sent events, and a little leaner.',
  capabilities: { fullDuplex: false, downFactor: 1 },
  isShareable: true,
  linkPath: '/sync/stream',
  mayStreamBody: true,
  downstream: 'stream',
  loadDownstream: async () => (await import('./stream-downstream.ts')).openStreamDownstream,
})
