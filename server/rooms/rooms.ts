/** A room is one part of one document while somebody uses it. Knows Yjs and the store; does not know links or requests. */
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { DocumentPart } from '../store/store.ts'

export interface Rooms {
  /**
   * @throws {RoomRefusal} `bad-document` when the id is malformed, `forbidden` when missing or not allowed (the same answer),
   * `overloaded` while the store cannot load it (D4), `set-aside` while it fails again and again (A7), `taken` when its client id is
   * somebody else's (A5).
   */
  join(request: JoinRequest, subscriber: RoomSubscriber): Promise<Membership>
  /** The server's own edit (title by API, first content). Resolves after the commit, when others see it. */
  edit(
    document: string,
    part: DocumentPart,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void>
  /** Takes everybody out, as for a deleted document. */
  evict(document: string, reason: CloseReason): void
  /** Waits until everything accepted is committed, compacts nothing, and closes. */
  close(): Promise<void>
}

export interface JoinRequest {
  /** '' for the principal's own desk. */
  readonly document: string
  readonly part: DocumentPart
  readonly principal: Principal
  readonly session: string
  /** A link's token brought along, '' for none. */
  readonly token: string
  /** What the member has already. */
  readonly stateVector: Uint8Array
  /** The Yjs client id that it will write under; without one, its own is what it uses first (A5). */
  readonly client?: number
  /** Its provider is a stock one, which may show several clients and repeats what it hears of others. */
  readonly isStock?: boolean
  /** Waits for the turn of a first state of about so many bytes, before it is made (S6). */
  admit?(bytes: number): Promise<void>
}

/** What a room tells one of its members. Called in the order of the commits. */
export interface RoomSubscriber {
  /**
   * First of all, and at each `resync`: what the member lacks, committed state only (D1), each update building at most on those
   * before it, the first of them perhaps packed as well; and the server's own state vector.
   */
  onState(state: {
    role: Role
    updates: readonly Uint8Array[]
    packed?: Uint8Array
    stateVector: Uint8Array
  }): void
  /**
   * Others' edits, after their commits (D1), encoded once for everybody. False: it lags, and was not told of these; from then on
   * it hears nothing until `catchUp` (S6).
   */
  onChange(updates: SharedUpdates): boolean
  /** All that it was not told while it lagged; of a large text in several updates, each building on those before it. */
  onMissedEdits(update: Uint8Array): void
  onPresence(update: Uint8Array): void
  /** All the others who are here; the last of the messages names them all. */
  onWholePresence(updates: readonly Uint8Array[]): void
  /** What a window told about delays; a door that knows no such thing leaves it out. @param from By its presence. */
  onTrace?(from: number, bytes: Uint8Array): void
  onRole(role: Role): void
  /** The store does not take what is written here, or does again (D3). */
  onStoreStatus(failing: boolean): void
  onEvicted(reason: CloseReason): void
}

export interface Membership {
  /**
   * The member hears a first state again, and stays where it is. @throws {RoomRefusal} for what is no state vector, `taken` for
   * somebody else's client id, and while the room is being loaded again.
   */
  resync(stateVector: Uint8Array, client?: number): void
  /**
   * Resolves after the commit (D1). @throws {RoomRefusal} `bad-update` when Yjs refuses it, `behind` when it builds on text
   * that is unknown here, `forbidden` for a viewer (A4), `taken` when it writes under
   * somebody else's client id (A5); then nothing was stored. While the store fails it neither resolves nor rejects (D3).
   */
  sendEdit(update: Uint8Array, number: number): Promise<void>
  /** About how many bytes `resync` would tell; 0 for what is no state vector. */
  missingBytesFor(stateVector: Uint8Array): number
  /** About how many bytes `catchUp` would tell; 0 where it has heard everything. */
  lagBytes(): number
  /** The member hears in one update all that it was not told, and who is here. */
  catchUp(): void
  /** @throws {RoomRefusal} `bad-frame` when it is not an awareness update, `bad-message` for a flood of them. */
  sendPresence(update: Uint8Array): void
  /** The caret of the state that this member showed last. @throws {RoomRefusal} as `presence`. */
  sendCaret(cursor: string): void
  /** @param to A window by its presence, 0 for all others. One that shows no presence has no name to speak under. */
  sendTrace(to: number, bytes: Uint8Array): void
  /** Of the committed state (D7); null while something is being committed, and where it could not be worked out. */
  computeDigest(): Promise<Uint8Array | null> | null
  /** Says again who else is here, as a new link needs to hear. */
  resendPresence(): void
  /** Its window may have gone (W7): the others are told so, until it says again where it is. */
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
