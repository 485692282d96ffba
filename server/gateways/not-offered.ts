/** The gateway for transports that this server does not offer: it answers so, and clients stop trying. */
import { strings } from '../../lib/strings/server-refusals.ts'
import { pathOf } from '../http-answers.ts'
import type { Gateway, GatewayRequest } from './gateway.ts'
import { refuseRequest, refuseUpgrade, type HttpRefusal } from './http-refusals.ts'

const notOfferedRefusal: HttpRefusal = {
  status: 404,
  code: 'not-offered',
  message: strings.gateway.notOffered,
}

export function createNotOfferedGateway(paths: readonly string[]): Gateway {
  const closedPaths = new Set<string | null>(paths)
  const isNotOffered = (request: GatewayRequest): boolean => closedPaths.has(pathOf(request))
  return {
    handleRequest(request, response) {
      if (!isNotOffered(request)) return false
      request.resume()
      refuseRequest(response, notOfferedRefusal)
      return true
    },
    handleUpgrade(request, socket) {
      if (!isNotOffered(request)) return false
      refuseUpgrade(socket, notOfferedRefusal)
      return true
    },
    handleConnect(request, response) {
      if (!isNotOffered(request)) return false
      refuseRequest(response, notOfferedRefusal)
      return true
    },
    close: () => {},
  }
}
