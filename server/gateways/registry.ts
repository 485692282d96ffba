/** The server ends of the transports. Adding one adds files beside this one and a line here. */
import type { Gateway, GatewayParts } from './gateway.ts'
import { sseGateway } from './sse.ts'
import { upstreamGateway } from './upstream.ts'
import { websocketGateway } from './websocket.ts'

export function transportGateways(parts: GatewayParts): Gateway[] {
  const upstream = upstreamGateway(parts)
  return [websocketGateway(parts), sseGateway(parts, upstream), upstream]
}
