/** The transports there are, in the order of preference. Adding one adds files beside this one and a word here. */
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'
import { sse } from './sse.ts'
import { stream } from './stream.ts'
import type { Transport, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

export const transports: ReadonlyMap<TransportId, Transport> = new Map(
  [websocket, sse, stream, longPoll, poll].map((transport) => [transport.id, transport]),
)
