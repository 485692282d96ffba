import type { Clocks } from './clocks.ts'
import type { RoomMember } from './room-members.ts'
import type { Room } from './room.ts'
import type { Membership, StateCost } from './rooms.ts'

/** What a member can do in its room. It is a class, since a closure for each of these methods would cost megabytes with thousands of members. */
export class RoomMembership implements Membership {
  readonly #room: Room
  readonly #member: RoomMember

  constructor(room: Room, member: RoomMember) {
    this.#room = room
    this.#member = member
  }

  readStateVector(stateVector: Uint8Array): Clocks {
    return this.#room.readStateVector(stateVector)
  }

  resync(memberClocks: Clocks, client = this.#member.client): Promise<void> {
    return this.#room.resync(this.#member, memberClocks, client)
  }

  sendEdit(update: Uint8Array, number: number): Promise<void> {
    return this.#room.receiveEdit(this.#member, update, number)
  }

  stateCostFor(memberClocks: Clocks): StateCost {
    return this.#room.stateCostFor(memberClocks)
  }

  lagBytes(): number {
    return this.#room.lagBytesOf(this.#member)
  }

  catchUp(): void {
    this.#room.catchUp(this.#member)
  }

  sendPresence(update: Uint8Array): void {
    this.#room.receivePresence(this.#member, update)
  }

  sendCaret(cursor: string): void {
    this.#room.receiveCaret(this.#member, cursor)
  }

  sendTrace(to: number, bytes: Uint8Array): void {
    this.#room.receiveTrace(this.#member, to, bytes)
  }

  computeDigest(): Promise<Uint8Array | null> | null {
    return this.#room.computeDigest(this.#member)
  }

  askForPresence(): void {
    this.#room.answerPresenceQuery(this.#member)
  }

  resendPresence(): void {
    this.#room.resendPresence(this.#member)
  }

  hidePresence(): void {
    this.#room.hidePresence(this.#member)
  }

  leave(): void {
    this.#room.leave(this.#member)
  }
}
