/** The gateways of the transports. A new one needs files beside this one, and a line or two here. */
import {
  type NetworkTransportId,
  networkTransports,
  transportDescriptors,
} from '../../lib/transports/descriptors.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import { createFarewellGateway } from './farewell.ts'
import { HttpLinks } from './http-links.ts'
import { createNotOfferedGateway } from './not-offered.ts'
import { type PollGatewayOptions, createPollGateway } from './polls.ts'
import { createSseGateway } from './sse.ts'
import { createStreamGateway } from './stream.ts'
import { createUpstreamGateway } from './upstream.ts'
import { createWebSocketGateway } from './websocket.ts'

export interface TransportGatewayOptions extends PollGatewayOptions {
  /** By default all transports. */
  readonly offeredTransports?: readonly NetworkTransportId[]
}

export function createTransportGateways(
  dependencies: GatewayDependencies,
  { offeredTransports = networkTransports, ...polls }: TransportGatewayOptions = {},
): Gateway[] {
  const links = new HttpLinks(dependencies)
  const notOfferedPaths = networkTransports
    .filter((id) => !offeredTransports.includes(id))
    .flatMap((id) => transportDescriptors[id].ownPaths)
  return [
    createNotOfferedGateway(notOfferedPaths),
    createWebSocketGateway(dependencies),
    createSseGateway(dependencies, links),
    createStreamGateway(dependencies, links),
    createPollGateway(dependencies, links, polls),
    createUpstreamGateway(links),
    createFarewellGateway(dependencies),
  ]
}
