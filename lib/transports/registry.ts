/** The clients of all transports, in the order of preference. Few windows need another than the first, so the others are loaded late. */
import { type NetworkTransportId, networkTransports } from './descriptors.ts'
import { lateTransport } from './late-transport.ts'
import type { Transport, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

const clients: Readonly<Record<NetworkTransportId, Transport>> = {
  websocket,
  sse: lateTransport('sse', async () => (await import('./sse.ts')).sse),
  stream: lateTransport('stream', async () => (await import('./stream.ts')).stream),
  'long-poll': lateTransport('long-poll', async () => (await import('./long-poll.ts')).longPoll),
  poll: lateTransport('poll', async () => (await import('./poll.ts')).poll),
}

export const transports: ReadonlyMap<TransportId, Transport> = new Map(
  networkTransports.map((id) => [id, clients[id]]),
)
