/**
 * The transports, in the order of preference. A new one adds its file here with a line below, and its gateway with a line in
 * server/gateways/registry.ts: type, choice, settings, words and most tests follow. docs/CONTRIBUTING.md lists what wants a row.
 */
import { longPoll } from './long-poll.ts'
import { poll } from './poll.ts'
import { sse } from './sse.ts'
import { stream } from './stream.ts'
import type { NetworkTransport, NetworkTransportId, TransportId } from './transport.ts'
import { websocket } from './websocket.ts'

export const transportDescriptors: Readonly<Record<NetworkTransportId, NetworkTransport>> = {
  websocket,
  sse,
  stream,
  'long-poll': longPoll,
  poll,
}

export const transports: ReadonlyMap<TransportId, NetworkTransport> = new Map(
  Object.values(transportDescriptors).map((transport) => [transport.id, transport]),
)
