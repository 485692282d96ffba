/** How many links one address may open a second (A6): stands before the doors where links begin. Knows paths; does not know links. */
import type { Arrivals } from '../access/arrivals.ts'
import { pathOf } from '../answer.ts'
import type { Gateway, GatewayRequest } from './gateway.ts'
import { doorOf, refuse } from './refusals.ts'
import { turnAway } from './turn-away.ts'
import { connectKnock, createWebSocketServer, pickForUpgrade, upgradeKnock } from './web-socket-knock.ts'

/** @param isDoor Whether a link begins at the path. */
export function linkLimit(arrivals: Pick<Arrivals, 'link'>, isDoor: (path: string) => boolean): Gateway {
  const server = createWebSocketServer({ handleProtocols: pickForUpgrade, maxPayload: 1024 })

  const refusalOf = (request: GatewayRequest, secure: boolean) =>
    isDoor(pathOf(request) ?? '') ? arrivals.link(doorOf(request, secure)) : null

  return {
    handleRequest(request, response, secure) {
      const refusal = refusalOf(request, secure)
      if (!refusal) return false
      request.resume()
      refuse(response, refusal)
      return true
    },
    handleUpgrade(request, socket, head, secure) {
      const refusal = refusalOf(request, secure)
      if (!refusal) return false
      turnAway(upgradeKnock(server, request, socket, head), refusal)
      return true
    },
    handleConnect(request, response) {
      const refusal = refusalOf(request, true)
      if (!refusal) return false
      turnAway(connectKnock(server, request, response), refusal)
      return true
    },
    close() {
      for (const client of server.clients) client.terminate()
    },
  }
}
