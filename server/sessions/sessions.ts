/** What the composition root and the doors see of the sessions. */
import type { TransportId } from '../../lib/transports/transport.ts'
import type { LinkAcceptor } from '../gateways/gateway.ts'

export interface Sessions extends LinkAcceptor {
  /** Takes no new sessions, waits until all that was accepted is acknowledged, and sends everybody away to come again. */
  drain(): Promise<void>
  /** Sessions alive, with or without a link. */
  readonly count: number
  /** Open, by transport. */
  countLinks(): ReadonlyMap<TransportId, number>
}
