/** A room is one part of one document while somebody uses it. Knows Yjs and the store; does not know links or requests. */
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { DocumentPart } from '../store/store.ts'
import type { Clocks } from './clocks.ts'

export interface Rooms {
  /**
   * @throws {RoomRefusal} `bad-document` if the id is malformed, `forbidden` if the document is missing or not allowed (the same
   * answer), `overloaded` while the store cannot load it (D4), `set-aside` while it fails again and again (A7), `taken` if the
   * member's client id is somebody else's (A5), `bad-message` for bytes that are no state vector, or one of too many entries.
   */
  join(request: JoinRequest, subscriber: RoomSubscriber): Promise<Membership>
  /** Makes an edit of the server's own (title by API, first content). Resolves after the commit, when others see it. */
  edit(
    document: string,
    part: DocumentPart,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void>
  /**
   * Takes in, as one edit, what others wrote in another document that began as this one did. Resolves after the commit. @param principal
   * Whoever brings it, and needs the right to write. @throws {RoomRefusal} and then nothing was stored: `taken` where a client id has
   * another owner here, and whatever an edit may be refused for.
   */
  addText(document: string, principal: Principal, text: BroughtText): Promise<void>
  /** How many members the document has here, in all its parts. */
  countMembers(document: string): number
  /** Looks at the rights of every member again, since a change may have been missed. */
  recheckAllRights(): void
  /** Evicts everybody, for example from a deleted document. */
  evict(document: string, reason: CloseReason): void
  readFigures(): RoomFigures
  /** Waits until every accepted edit is committed, compacts nothing, and closes. */
  close(): Promise<void>
}

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

export interface Membership {
  /** Decodes what `resync` needs. @throws {RoomRefusal} `bad-message` for bytes that are no state vector, or one of too many entries. */
  readStateVector(stateVector: Uint8Array): Clocks
  /**
   * Sends the member a first state again; it stays in the room. @throws {RoomRefusal} `taken` for somebody else's client id, and
   * while the room is being loaded again.
   */
  resync(memberClocks: Clocks, client?: number): Promise<void>
  /**
   * Resolves after the commit (D1). @throws {RoomRefusal} `bad-update` if Yjs refuses the edit, `behind` if it builds on text that
   * the server does not have, `forbidden` for a viewer (A4), `taken` if it writes under somebody else's client id (A5); then
   * nothing was stored. While the store fails it neither resolves nor rejects (D3).
   */
  sendEdit(update: Uint8Array, number: number): Promise<void>
  /** What `resync` would cost. */
  stateCostFor(memberClocks: Clocks): StateCost
  /** About how many bytes `catchUp` would send; 0 if the member does not lag. */
  lagBytes(): number
  /** Sends the member all that it missed, and who is here. */
  catchUp(): void
  /** @throws {RoomRefusal} `bad-frame` for bytes that are no awareness update, `bad-message` for a flood of them. */
  sendPresence(update: Uint8Array): void
  /** Replaces the caret in the presence that this member showed last. @throws {RoomRefusal} as `sendPresence`. */
  sendCaret(cursor: string): void
  /** Needs a presence of the member's own. @param to The client id of the recipient's presence, 0 for all others. */
  sendTrace(to: number, bytes: Uint8Array): void
  /** Computes the digest of the committed state (D7); null while a commit is under way, if it could not be computed, or costs too much. */
  computeDigest(): Promise<Uint8Array | null> | null
  /** Sends who else is here, unless the member asks too much (A6). */
  askForPresence(): void
  /** Sends again who else is here, which a new link needs. */
  resendPresence(): void
  /** Hides the member from the others, since its window may be gone (W7), until it sends presence again. */
  hidePresence(): void
  leave(): void
}

export class RoomRefusal extends Error {
  override readonly name = 'RoomRefusal'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(reason.detail ?? reason.code)
    this.reason = reason
  }
}
