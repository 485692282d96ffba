/** The routes to a server: all transports in the registry, so that a new one is tested at once. */
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { TransportRoute } from '../../server/fixtures/real-server.ts'

export type NetworkTransportId = Exclude<TransportId, 'memory'>

export const testedTransports = [...transports.keys()].filter(
  (id): id is NetworkTransportId => id !== 'memory',
)

export const everyRoute: readonly TransportRoute[] = testedTransports.flatMap((transport) => [
  { transport, scheme: 'https' },
  { transport, scheme: 'http' },
])
