/** The doors of transports that this server does not offer: they say so, so that nobody goes on trying. */
import { strings } from '../../lib/strings/server-refusals.ts'
import { pathOf } from '../answer.ts'
import type { Gateway, GatewayRequest } from './gateway.ts'
import { refuse, refuseUpgrade, type Refused } from './refusals.ts'

const refusal: Refused = {
  status: 404,
  code: 'not-offered',
  message: strings.door.notOffered,
}

export function notOffered(doors: readonly string[]): Gateway {
  const closed = new Set<string | null>(doors)
  const isClosed = (request: GatewayRequest): boolean => closed.has(pathOf(request))
  return {
    handleRequest(request, response) {
      if (!isClosed(request)) return false
      request.resume()
      refuse(response, refusal)
      return true
    },
    handleUpgrade(request, socket) {
      if (!isClosed(request)) return false
      refuseUpgrade(socket, refusal)
      return true
    },
    handleConnect(request, response) {
      if (!isClosed(request)) return false
      refuse(response, refusal)
      return true
    },
    close: () => {},
  }
}
