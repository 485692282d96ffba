/** Speaks Diptych's own protocol over its own transports. */
import type { NetworkPlatform } from '../../../lib/transports/net/net.ts'
import { createNet } from '../../../lib/transports/net/node.ts'
import { transports } from '../../../lib/transports/registry.ts'
import type { Transport, TransportId } from '../../../lib/transports/transport.ts'
import { openLightSession } from '../light-session.ts'
import type { CrowdProtocol } from '../crowd-protocol.ts'
import { LightSocket } from '../light-socket.ts'

/** Speaks plain HTTP/1.1, with one connection pool for the thread. Over TLS each client has its own connections, as a browser has. */
const lightNet: NetworkPlatform = {
  ...createNet(),
  webSocket: (url, headers, protocols) => new LightSocket(url, headers, protocols),
}

export const diptych = (transport: Exclude<TransportId, 'memory'>): CrowdProtocol => ({
  heartbeatMs: 12_500,
  open(origin, { document, token }, listener) {
    const secure = origin.startsWith('https:')
    const net = secure ? createNet({ insecure: true, webSocketOverHttp2: true }) : lightNet
    return openLightSession(
      transports.get(transport) as Transport,
      { origin, net, token },
      document,
      listener,
    )
  },
})
