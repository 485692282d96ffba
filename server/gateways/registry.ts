/** The gateways of the transports. A new one needs files beside this one, and a line or two here. */
import { paths } from '../../lib/protocol/http.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import { createFarewellGateway } from './farewell.ts'
import { HttpLinks } from './http-links.ts'
import { createNotOfferedGateway } from './not-offered.ts'
import { type PollGatewayOptions, createPollGateway } from './polls.ts'
import { createSseGateway } from './sse.ts'
import { createStreamGateway } from './stream.ts'
import { createUpstreamGateway } from './upstream.ts'
import { createWebSocketGateway } from './websocket.ts'

export type NetworkTransportId = Exclude<TransportId, 'memory'>

/** The paths at which a link of each transport begins. */
const openingPathsOf: Record<NetworkTransportId, readonly string[]> = {
  websocket: [paths.websocket],
  sse: [paths.sseTicket, paths.sse],
  stream: [paths.stream],
  'long-poll': [paths.longPoll],
  poll: [paths.poll],
}

/** The paths of the requests that open a link, one request for each link. */
const linkPaths: ReadonlySet<string> = new Set([
  paths.websocket,
  paths.sseTicket,
  paths.stream,
  paths.longPoll,
  paths.poll,
  paths.farewell,
])

export const isLinkPath = (path: string): boolean => linkPaths.has(path)

const allTransports = Object.keys(openingPathsOf) as readonly NetworkTransportId[]

export interface TransportGatewayOptions extends PollGatewayOptions {
  /** By default all transports. */
  readonly offeredTransports?: readonly NetworkTransportId[]
}

export function createTransportGateways(
  dependencies: GatewayDependencies,
  { offeredTransports = allTransports, ...polls }: TransportGatewayOptions = {},
): Gateway[] {
  const links = new HttpLinks(dependencies)
  const notOfferedPaths = allTransports
    .filter((id) => !offeredTransports.includes(id))
    .flatMap((id) => openingPathsOf[id])
  return [
    createNotOfferedGateway(notOfferedPaths),
    createWebSocketGateway(dependencies),
    createSseGateway(dependencies, links),
    createStreamGateway(dependencies, links),
    createPollGateway(dependencies, links, polls),
    createUpstreamGateway(dependencies, links),
    createFarewellGateway(dependencies),
  ]
}
