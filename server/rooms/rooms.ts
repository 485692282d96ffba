/** What rooms exchange with whoever joins them. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { DocumentPart } from '../store/store.ts'

/** Text that is brought by somebody who did not write it. */
export interface BroughtText {
  /** What the document lacks; it may repeat what the document has. */
  readonly update: Uint8Array
  /** Who wrote under its client ids. */
  readonly owners: ReadonlyMap<number, string>
  /** Where it comes from, as the log names it in place of a session. */
  readonly source: string
  /** Differs for different text of one source. */
  readonly number: number
}

export interface RoomFigures {
  /** Parts of documents that are in memory. */
  readonly open: number
  /** What they take in memory, by estimate. */
  readonly memoryBytes: number
  /** What waits, in all of them, for the append before it. */
  readonly queued: number
}

export interface JoinRequest {
  /** '' for the principal's own desk. */
  readonly document: string
  readonly part: DocumentPart
  readonly principal: Principal
  readonly session: string
  /** The token of a share link, '' for none. */
  readonly token: string
  /** The state vector of what the member already has, decoded once the document is known: its clients count. */
  readonly stateVector: Uint8Array
  /** The Yjs client id that the member will write under; without one, it owns the first id that it uses (A5). */
  readonly client?: number
  /** True for a stock Yjs provider, which may show several clients and repeats the presence of others that it receives. */
  readonly isStock?: boolean
  /** Waits, before the first state is encoded, for the turn of a state of about this many bytes (S6), and until its work is paid (A6). */
  admit?(cost: StateCost): Promise<void>
}

/** What a state costs. */
export interface StateCost {
  /** About how many bytes it has. */
  readonly bytes: number
  /** What it takes to work it out and to send it (metering/prices.ts). */
  readonly units: number
}

/** What a room sends to one of its members. Called in the order of the commits. */
export interface RoomSubscriber {
  /**
   * Called first of all, and at each `resync`: the updates that the member lacks, and the server's own state vector. The updates
   * are committed state only (D1), each builds at most on those before it, and the first may come packed as well.
   */
  onState(state: {
    role: Role
    updates: readonly Uint8Array[]
    packed?: Uint8Array
    stateVector: Uint8Array
  }): void
  /**
   * Sends the edits of others after their commits (D1), encoded once for everybody. Returns false if the member lags: these were
   * not sent, and it receives nothing more until `catchUp` (S6).
   */
  onChange(updates: SharedUpdates): boolean
  /** Sends all that the member missed while it lagged; for a large text in several updates, each building on those before it. */
  onMissedEdits(update: Uint8Array): void
  onPresence(update: Uint8Array): void
  /** Sends the presence of all others; the last of the messages names them all. */
  onWholePresence(updates: readonly Uint8Array[]): void
  /** Sends a window's trace; a gateway without traces leaves it out. @param from The client id of that window's presence. */
  onTrace?(from: number, bytes: Uint8Array): void
  onRole(role: Role): void
  /** The store fails to commit this document's edits, or works again (D3). */
  onStoreStatus(failing: boolean): void
  onEvicted(reason: CloseReason): void
}

export class RoomRefusal extends Error {
  override readonly name = 'RoomRefusal'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(reason.detail ?? reason.code)
    this.reason = reason
  }
}
