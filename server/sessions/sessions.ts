/** The sessions as the composition root and the gateways see them. */
import type { Link, Sink, TransportId } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'
import type { LinkAcceptor } from '../gateways/gateway.ts'

export interface Sessions extends LinkAcceptor {
  /**
   * Accepts the link of one session that another node forwards (S10). It may resume a session of this node, and nothing else: the
   * other node opens new ones itself.
   */
  acceptForwarded(link: Link, principal: Principal): Sink
  /** Takes no new sessions, and waits until all that was accepted is answered. */
  finish(): Promise<void>
  /** Closes all links so that clients reconnect. */
  closeLinks(): void
  /** Does both. */
  drain(): Promise<void>
  /** The number of live sessions, with or without a link. */
  readonly count: number
  /** Counts the open links by transport. */
  countLinks(): ReadonlyMap<TransportId, number>
  /** Counts the sessions by the transport of the link they send on; `none` are those without a link. */
  countByTransport(): ReadonlyMap<TransportId | 'none', number>
}
