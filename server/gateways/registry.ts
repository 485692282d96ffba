/** The gateway of each transport in lib/transports/registry.ts. */
import type { NetworkTransportId } from '../../lib/transports/transport.ts'
import { createLongPollGateway } from './long-poll.ts'
import { createPollGateway } from './poll.ts'
import { createSseGateway } from './sse.ts'
import { createStreamGateway } from './stream.ts'
import type { CreateTransportGateway } from './transport-gateway.ts'
import { createWebSocketGateway } from './websocket.ts'

export const transportGateways: Readonly<Record<NetworkTransportId, CreateTransportGateway>> = {
  websocket: createWebSocketGateway,
  sse: createSseGateway,
  stream: createStreamGateway,
  'long-poll': createLongPollGateway,
  poll: createPollGateway,
}
