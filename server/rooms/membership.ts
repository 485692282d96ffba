import type { Clocks } from './clocks.ts'
import type { RoomMember } from './room-members.ts'
import type { Room } from './room.ts'
import type { StateCost } from './rooms.ts'

/** What a member can do in its room. It is a class, since a closure for each of these methods would cost megabytes with thousands of members. */
export class Membership {
  readonly #room: Room
  readonly #member: RoomMember

  constructor(room: Room, member: RoomMember) {
    this.#room = room
    this.#member = member
  }

  /** Decodes what `resync` needs. @throws {RoomRefusal} `bad-message` for bytes that are no state vector, or one of too many entries. */
  readStateVector(stateVector: Uint8Array): Clocks {
    return this.#room.readStateVector(stateVector)
  }

  /**
   * Sends the member a first state again; it stays in the room. @throws {RoomRefusal} `taken` for somebody else's client id, and
   * while the room is being loaded again.
   */
  resync(memberClocks: Clocks, client = this.#member.client): Promise<void> {
    return this.#room.resync(this.#member, memberClocks, client)
  }

  /**
   * Resolves after the commit (D1). @throws {RoomRefusal} `bad-update` if Yjs refuses the edit, `behind` if it builds on text that
   * the server does not have, `forbidden` for a viewer (A4), `taken` if it writes under somebody else's client id (A5); then
   * nothing was stored. While the store fails it neither resolves nor rejects (D3).
   */
  sendEdit(update: Uint8Array, number: number): Promise<void> {
    return this.#room.receiveEdit(this.#member, update, number)
  }

  /** What `resync` would cost. */
  stateCostFor(memberClocks: Clocks): StateCost {
    return this.#room.stateCostFor(memberClocks)
  }

  /** About how many bytes `catchUp` would send; 0 if the member does not lag. */
  lagBytes(): number {
    return this.#room.lagBytesOf(this.#member)
  }

  /** Sends the member all that it missed, and who is here. */
  catchUp(): void {
    this.#room.catchUp(this.#member)
  }

  /** @throws {RoomRefusal} `bad-frame` for bytes that are no awareness update, `bad-message` for a flood of them. */
  sendPresence(update: Uint8Array): void {
    this.#room.receivePresence(this.#member, update)
  }

  /** Replaces the caret in the presence that this member showed last. @throws {RoomRefusal} as `sendPresence`. */
  sendCaret(cursor: string): void {
    this.#room.receiveCaret(this.#member, cursor)
  }

  /** Needs a presence of the member's own. @param to The client id of the recipient's presence, 0 for all others. */
  sendTrace(to: number, bytes: Uint8Array): void {
    this.#room.receiveTrace(this.#member, to, bytes)
  }

  /** Computes the digest of the committed state (D7); null while a commit is under way, if it could not be computed, or costs too much. */
  computeDigest(): Promise<Uint8Array | null> | null {
    return this.#room.computeDigest(this.#member)
  }

  /** Sends who else is here, unless the member asks too much (A6). */
  askForPresence(): void {
    this.#room.answerPresenceQuery(this.#member)
  }

  /** Sends again who else is here, which a new link needs. */
  resendPresence(): void {
    this.#room.resendPresence(this.#member)
  }

  /** Hides the member from the others, since its window may be gone (W7), until it sends presence again. */
  hidePresence(): void {
    this.#room.hidePresence(this.#member)
  }

  leave(): void {
    this.#room.leave(this.#member)
  }
}
