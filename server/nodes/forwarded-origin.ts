/** What a node vouches for about a request that it forwarded, once that was proven. Knows nothing of proofs. */
import type { Principal } from '../access/principal.ts'
import type { GatewayRequest } from '../gateways/gateway-request.ts'

export interface ForwardedOrigin {
  /** The node that the request reached first. */
  readonly from: string
  /** Whether it came in by that node's TLS listener. */
  readonly secure: boolean
  /** The remote address of its socket there: the client's, or a proxy's. */
  readonly peer: string
  /** Set for a link of frames that the first node has admitted; null for a request, whose headers say who makes it. */
  readonly principal: Principal | null
}

const origins = new WeakMap<GatewayRequest, ForwardedOrigin>()

export const setForwardedOrigin = (request: GatewayRequest, origin: ForwardedOrigin): void =>
  void origins.set(request, origin)

/** Null for a request that came directly, or whose proof was wrong. */
export const forwardedOriginOf = (request: GatewayRequest): ForwardedOrigin | null =>
  origins.get(request) ?? null
