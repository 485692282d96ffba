/** The gateways of all transports that this server offers, and what several of them share. */
import { networkTransports, ownPathsOf } from '../../lib/transports/descriptors.ts'
import type { NetworkTransportId } from '../../lib/transports/transport.ts'
import { createFarewellGateway } from './farewell.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import { HttpLinks } from './http-links.ts'
import { createNotOfferedGateway } from './not-offered.ts'
import { createNextPollGateway } from './polls.ts'
import { transportGateways } from './registry.ts'
import type { GatewayTiming } from './transport-gateway.ts'
import { createUpstreamGateway } from './upstream.ts'

export interface TransportGatewayOptions {
  /** By default all transports. */
  readonly offeredTransports?: readonly NetworkTransportId[]
  /** For tests. */
  readonly timing?: GatewayTiming
}

export function createTransportGateways(
  dependencies: GatewayDependencies,
  { offeredTransports = networkTransports, timing }: TransportGatewayOptions = {},
): Gateway[] {
  const links = new HttpLinks(dependencies)
  const isOffered = (id: NetworkTransportId): boolean => offeredTransports.includes(id)
  return [
    createNotOfferedGateway(networkTransports.filter((id) => !isOffered(id)).flatMap(ownPathsOf)),
    ...networkTransports.filter(isOffered).map((id) => transportGateways[id](dependencies, links, timing)),
    createNextPollGateway(links),
    createUpstreamGateway(links),
    createFarewellGateway(dependencies),
  ]
}
