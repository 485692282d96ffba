/** The gateways of all transports that this server offers, and what several of them share. */
import { paths } from '../../lib/protocol/http.ts'
import { networkTransports, transportDescriptors } from '../../lib/transports/descriptors.ts'
import type { NetworkTransportId } from '../../lib/transports/transport.ts'
import { createFarewellGateway } from './farewell.ts'
import type { Gateway, GatewayDependencies } from './gateway.ts'
import { HttpLinks } from './http-links.ts'
import { createNotOfferedGateway } from './not-offered.ts'
import { createNextPollGateway } from './polls.ts'
import { transportGateways } from './registry.ts'
import type { GatewayTiming } from './transport-gateway.ts'
import { createUpstreamGateway } from './upstream.ts'

/** The paths of the requests that open a link, one request for each link. */
const linkPaths: ReadonlySet<string> = new Set([
  ...networkTransports.map((id) => transportDescriptors[id].linkPath),
  paths.farewell,
])

export const isLinkPath = (path: string): boolean => linkPaths.has(path)

const ownPathsOf = (id: NetworkTransportId): readonly string[] => {
  const { linkPath, otherPaths = [] } = transportDescriptors[id]
  return [linkPath, ...otherPaths]
}

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
    createNextPollGateway(dependencies, links),
    createUpstreamGateway(dependencies, links),
    createFarewellGateway(dependencies),
  ]
}
