/** Recognizes what other nodes forward, before anything else looks at a request. */
import { exemptConnection } from '../connection-limit.ts'
import { readFilePath } from '../files/file-path.ts'
import { pathOf } from '../http-answers.ts'
import type { GatewayRequest, GatewayResponse } from '../gateways/gateway-request.ts'
import { type ForwardProof, NODE_HEADER } from './forward-proof.ts'
import { type ForwardedOrigin, setForwardedOrigin } from './forwarded-origin.ts'

/**
 * Returns what another node vouches for, and null for anybody else's request. From then on the request has the client's address
 * (`peerOf`), and its connection counts as no client's.
 * @param response Null for an upgrade.
 */
export type ForwardReader = (
  request: GatewayRequest,
  response: GatewayResponse | null,
) => ForwardedOrigin | null

export const forwardsNothing: ForwardReader = () => null

export const createForwardReader =
  (proof: ForwardProof): ForwardReader =>
  (request, response) => {
    const path = pathOf(request) ?? ''
    // No other requests are forwarded.
    const origin = path.startsWith('/sync/') || readFilePath(path) ? proof.readRequest(request) : null
    if (!origin) return null
    setForwardedOrigin(request, origin)
    exemptConnection(request.socket)
    response?.setHeader(NODE_HEADER, proof.self)
    return origin
  }
