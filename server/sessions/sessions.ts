/** The sessions as the composition root and the gateways see them. */
import type { TransportId } from '../../lib/transports/transport.ts'
import type { LinkAcceptor } from '../gateways/gateway.ts'

export interface Sessions extends LinkAcceptor {
  /** Takes no new sessions, waits until all that was accepted is answered, and closes all links so that clients reconnect. */
  drain(): Promise<void>
  /** The number of live sessions, with or without a link. */
  readonly count: number
  /** Counts the open links by transport. */
  countLinks(): ReadonlyMap<TransportId, number>
  /** Counts the sessions by the transport of the link they send on; `none` are those without a link. */
  countByTransport(): ReadonlyMap<TransportId | 'none', number>
}
