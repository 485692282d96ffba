/** What sessions need of the other nodes. Implemented by server/nodes. */
import type { Link, Sink } from '../../lib/transports/transport.ts'
import type { Principal } from '../access/principal.ts'

export interface ForwardedLink {
  readonly link: Link
  /** Whom this node has admitted by the link. */
  readonly principal: Principal
  /** Charges the principal for frames that the other node's network has not taken; negative for those that it took. */
  chargeWaiting(bytes: number): void
  /** Called with all frames so far, where the other node cannot be reached, or knows no such session of this principal. */
  onUnanswered(frames: readonly Uint8Array<ArrayBuffer>[]): void
}

export interface ForwardsLinks {
  /**
   * Forwards a link to the node that the session's id names (S10). Returns the sink for the window's frames, the first one included;
   * null where the id names this node, or none that lives.
   */
  forward(session: string, forwardedLink: ForwardedLink): Sink | null
}
