/**
 * Limits how many links one address may open a second (A6). It comes before the gateways that open links. Knows paths; does not know
 * links.
 */
import type { AccessRateLimits } from '../access/access-rate-limits.ts'
import { pathOf } from '../http-answers.ts'
import type { Gateway, GatewayRequest } from './gateway.ts'
import { accessRequestOf, refuseRequest } from './http-refusals.ts'
import { refuseWithRetry } from './refuse-with-retry.ts'
import {
  createHttp2UpgradeRequest,
  createWebSocketServer,
  pickHttp1Subprotocol,
  createHttp1UpgradeRequest,
} from './upgrade-request.ts'

/** A refused client has nothing to send but its answer to our close. */
const MAX_ANSWER_BYTES = 16 * 1024

/** @param isLinkPath Whether a link begins at the path. */
export function createLinkLimitGateway(
  linkRateLimits: Pick<AccessRateLimits, 'takeLink'>,
  isLinkPath: (path: string) => boolean,
): Gateway {
  const server = createWebSocketServer({
    maxPayload: MAX_ANSWER_BYTES,
    handleProtocols: pickHttp1Subprotocol,
  })

  const refusalOf = (request: GatewayRequest, secure: boolean) =>
    isLinkPath(pathOf(request) ?? '') ? linkRateLimits.takeLink(accessRequestOf(request, secure)) : null

  return {
    handleRequest(request, response, secure) {
      const refusal = refusalOf(request, secure)
      if (!refusal) return false
      request.resume()
      refuseRequest(response, refusal)
      return true
    },
    handleUpgrade(request, socket, head, secure) {
      const refusal = refusalOf(request, secure)
      if (!refusal) return false
      refuseWithRetry(createHttp1UpgradeRequest(server, request, socket, head), refusal)
      return true
    },
    handleConnect(request, response) {
      const refusal = refusalOf(request, true)
      if (!refusal) return false
      refuseWithRetry(createHttp2UpgradeRequest(server, request, response), refusal)
      return true
    },
    close() {
      for (const client of server.clients) client.terminate()
    },
  }
}
