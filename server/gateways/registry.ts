/** The server ends of the transports. Adding one adds files beside this one and a line here. */
import type { Gateway, GatewayParts } from './gateway.ts'
import { HttpLinks } from './http-links.ts'
import { type PollOptions, pollsGateway } from './polls.ts'
import { sseGateway } from './sse.ts'
import { streamGateway } from './stream.ts'
import { upstreamGateway } from './upstream.ts'
import { websocketGateway } from './websocket.ts'

export function transportGateways(parts: GatewayParts, options: PollOptions = {}): Gateway[] {
  const links = new HttpLinks(parts)
  return [
    websocketGateway(parts),
    sseGateway(parts, links),
    streamGateway(parts, links),
    pollsGateway(parts, links, options),
    upstreamGateway(parts, links),
  ]
}
