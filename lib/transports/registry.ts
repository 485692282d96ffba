/** The clients of all transports, in the order of preference. */
import { type NetworkTransportId, networkTransports } from './descriptors.ts'
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'
import { sse } from './sse.ts'
import { stream } from './stream.ts'
import type { Transport, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

const clients: Readonly<Record<NetworkTransportId, Transport>> = {
  websocket,
  sse,
  stream,
  'long-poll': longPoll,
  poll,
}

export const transports: ReadonlyMap<TransportId, Transport> = new Map(
  networkTransports.map((id) => [id, clients[id]]),
)
