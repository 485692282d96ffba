/** The server ends of the transports. Adding one adds files beside this one and a line or two here. */
import { paths } from '../../lib/protocol/http.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { Gateway, GatewayParts } from './gateway.ts'
import { farewellGateway } from './farewell.ts'
import { HttpLinks } from './http-links.ts'
import { notOffered } from './not-offered.ts'
import { type PollOptions, pollsGateway } from './polls.ts'
import { sseGateway } from './sse.ts'
import { streamGateway } from './stream.ts'
import { upstreamGateway } from './upstream.ts'
import { websocketGateway } from './websocket.ts'

export type Offered = Exclude<TransportId, 'memory'>

/** Where a link of each transport begins. */
const doors: Record<Offered, readonly string[]> = {
  websocket: [paths.websocket],
  sse: [paths.sseTicket, paths.sse],
  stream: [paths.stream],
  'long-poll': [paths.longPoll],
  poll: [paths.poll],
}

/** Where the requests come to that make a link, one for each. */
const opening: ReadonlySet<string> = new Set([
  paths.websocket,
  paths.sseTicket,
  paths.stream,
  paths.longPoll,
  paths.poll,
  paths.farewell,
])

export const opensLink = (path: string): boolean => opening.has(path)

const all = Object.keys(doors) as readonly Offered[]

export interface GatewayOptions extends PollOptions {
  /** Default: all there are. */
  readonly offers?: readonly Offered[]
}

export function transportGateways(
  parts: GatewayParts,
  { offers = all, ...polls }: GatewayOptions = {},
): Gateway[] {
  const links = new HttpLinks(parts)
  const closed = all.filter((id) => !offers.includes(id)).flatMap((id) => doors[id])
  return [
    notOffered(closed),
    websocketGateway(parts),
    sseGateway(parts, links),
    streamGateway(parts, links),
    pollsGateway(parts, links, polls),
    upstreamGateway(parts, links),
    farewellGateway(parts),
  ]
}
