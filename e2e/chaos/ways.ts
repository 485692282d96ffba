/** The ways to a server: all transports in the registry, so that one that is added is tried at once. */
import { transports } from '../../lib/transports/registry.ts'
import type { TransportId } from '../../lib/transports/transport.ts'
import type { Way } from '../../server/fixtures/real-server.ts'

export type NetworkTransport = Exclude<TransportId, 'memory'>

export const networkTransports = [...transports.keys()].filter(
  (id): id is NetworkTransport => id !== 'memory',
)

export const everyWay: readonly Way[] = networkTransports.flatMap((transport) => [
  { transport, scheme: 'https' },
  { transport, scheme: 'http' },
])
