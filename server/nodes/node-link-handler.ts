/** Takes the links that other nodes forward (link-forwarder.ts). It answers nobody else. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import type { RequestHandler } from '../gateways/gateway.ts'
import { drainingRefusal } from '../gateways/http-refusals.ts'
import { WebSocketEndpoint } from '../gateways/upgrade-request.ts'
import { createWebSocketLink } from '../gateways/websocket.ts'
import { pathOf } from '../http-answers.ts'
import type { Sessions } from '../sessions/create-sessions.ts'
import { forwardedOriginOf } from './forwarded-origin.ts'
import { NODE_LINK_PATH, NODE_LINK_PROTOCOL } from './node-link-path.ts'

export interface NodeLinkHandler extends RequestHandler {
  close(): void
}

export function createNodeLinkHandler(
  sessions: Pick<Sessions, 'acceptForwarded' | 'draining'>,
): NodeLinkHandler {
  const endpoint = new WebSocketEndpoint({
    maxPayload: MAX_FRAME_BYTES,
    pickSubprotocol: (offered) => offered.has(NODE_LINK_PROTOCOL) && NODE_LINK_PROTOCOL,
  })

  return {
    handleRequest: () => false,
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const principal = forwardedOriginOf(request)?.principal
      if (pathOf(request) !== NODE_LINK_PATH || !principal) return false
      const upgradeRequest = endpoint.http1Request(request, socket, head)
      if (sessions.draining) upgradeRequest.refuse(drainingRefusal)
      else
        upgradeRequest.accept((accepted) =>
          createWebSocketLink(accepted, principal, (link) => sessions.acceptForwarded(link, principal)),
        )
      return true
    },
    close() {
      for (const webSocket of endpoint.webSockets) webSocket.terminate()
    },
  }
}
