/** The transports there are, in the order of preference. Adding one adds files beside this one and a word here. */
import { sse } from './sse.ts'
import type { Transport, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

export const transports: ReadonlyMap<TransportId, Transport> = new Map(
  [websocket, sse].map((transport) => [transport.id, transport]),
)
