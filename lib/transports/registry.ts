/** All transports, in the order of preference. A new one needs files beside this one and an entry here. */
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'
import { sse } from './sse.ts'
import { stream } from './stream.ts'
import type { Transport, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

export const transports: ReadonlyMap<TransportId, Transport> = new Map(
  [websocket, sse, stream, longPoll, poll].map((transport) => [transport.id, transport]),
)
