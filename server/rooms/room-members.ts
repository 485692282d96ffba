/**
 * Knows who is in a room, and sends each member a first state, the edits of others, their presence, and the store's status. Nobody
 * receives an edit twice, and nobody their own. The caller decides what is on disk; this knows neither the text nor the store.
 */
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { Clocks } from './clocks.ts'
import { PresenceRateLimit } from './presence-rate-limit.ts'
import type { RemoteMember } from './room-messages.ts'
import {
  type PresenceAuthor,
  RoomPresence,
  type PresenceIdentity,
  presenceIdentityOf,
} from './room-presence.ts'
import type { RoomSubscriber } from './rooms.ts'
import { BroadcastBatch } from './broadcast-batch.ts'

/** Stands for a Yjs client id where there is none. */
export const NO_CLIENT = 0

export interface RoomMember {
  readonly subscriber: RoomSubscriber
  principal: Principal
  readonly session: string
  readonly token: string
  /** It uses a stock Yjs provider. */
  readonly isStock: boolean
  role: Role
  /** The Yjs client id that it announced and will write under (A5); NO_CLIENT until a stock client shows its presence. */
  client: number
  /** It was sent its first state, and has received changes since. */
  hasState: boolean
  /** How many of its edits are not on disk yet. */
  uncommittedEdits: number
  /** While it lags: the clocks of all that it was sent (S6). */
  lagClocks: Clocks | null
  /** Why it was evicted: its edits that wait are refused. Those of a member that left are not. */
  eviction?: CloseReason
}

/** An edit that is on disk. */
export interface BroadcastEdit {
  readonly update: Uint8Array
  readonly clocks: Clocks
  readonly author: RoomMember | null
}

export interface FirstState {
  readonly updates: readonly Uint8Array[]
  /** The first of the updates, packed as on the wire. */
  readonly packed?: Uint8Array
  readonly stateVector: Uint8Array
}

export interface RoomMembersOptions {
  /** A member's subscriber threw. The member receives nothing more; the others are not affected. */
  onMemberFailed(member: RoomMember, error: unknown): void
  /** Edits could not be merged; they are sent one by one. */
  onMergeFailed(error: unknown): void
  /** The rate limit now lets the member's presence through: `takePresenceUpdate` returns it. */
  onPresenceDue(member: RoomMember): void
  /** Returns false if the client id is somebody else's. */
  mayUse(member: RoomMember, client: number): boolean
  /** Returns false while the member's presence is to wait. */
  mayShow(member: RoomMember): boolean
  /** Presence is broadcast to this node's members: the other nodes are to have it. */
  onPresenceSent(member: RoomMember, update: Uint8Array): void
  /** The member shows nothing any more. */
  onPresenceHidden(member: RoomMember): void
}

export class RoomMembers {
  readonly #options: RoomMembersOptions
  readonly #all = new Set<RoomMember>()
  readonly #presence: RoomPresence<RoomMember | RemoteMember>
  readonly #presenceRateLimit: PresenceRateLimit<RoomMember>
  readonly #batch = new BroadcastBatch<BroadcastEdit>((edits) => this.#broadcastEdits(edits))
  /** The state vector of what is on disk and was broadcast. */
  readonly #broadcastClocks: Map<number, number>

  constructor(broadcastClocks: Clocks, options: RoomMembersOptions) {
    this.#options = options
    this.#broadcastClocks = new Map(broadcastClocks)
    this.#presence = new RoomPresence(presenceAuthorOf, (member, client) =>
      isRemote(member) ? true : options.mayUse(member, client),
    )
    this.#presenceRateLimit = new PresenceRateLimit({
      broadcast: (member) => options.onPresenceDue(member),
      mayBroadcast: (member) => options.mayShow(member),
    })
  }

  close(): void {
    this.#presenceRateLimit.stop()
  }

  get all(): ReadonlySet<RoomMember> {
    return this.#all
  }

  /** The state vector of all that was broadcast. */
  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#broadcastClocks)
  }

  /** The share, from 0 to 1, of all that was broadcast that is missing at these clocks. */
  missingShareOf(memberClocks: Clocks): number {
    let total = 0
    let missing = 0
    for (const [client, clock] of this.#broadcastClocks) {
      total += clock
      missing += Math.max(0, clock - (memberClocks.get(client) ?? 0))
    }
    return total === 0 ? 0 : missing / total
  }

  add(member: RoomMember): void {
    this.#all.add(member)
  }

  /** Returns false if it was no member. */
  remove(member: RoomMember): boolean {
    const wasMember = this.#all.delete(member)
    if (wasMember) this.hidePresence(member)
    return wasMember
  }

  /** @param state Called when every earlier broadcast is sent. */
  sendState(member: RoomMember, state: () => FirstState): void {
    if (!this.#all.has(member)) return
    this.#batch.flush()
    member.hasState = true
    member.lagClocks = null
    const first = { role: member.role, ...state() }
    this.#notify(member, ({ subscriber }) => subscriber.onState(first))
    this.#sendPresenceOfOthers(member)
  }

  /** @param lagClocks Those that the updates were computed for; if the member has others by now, nothing is sent. */
  sendMissedEdits(member: RoomMember, lagClocks: Clocks, updates: readonly Uint8Array[]): void {
    if (!this.#all.has(member) || member.lagClocks !== lagClocks) return
    this.#batch.flush()
    member.lagClocks = null
    this.#notify(member, ({ subscriber }) => updates.forEach((update) => subscriber.onMissedEdits(update)))
    this.#sendPresenceOfOthers(member)
  }

  /** The edit is broadcast with the others of the same batch, at the next `flush`. */
  addEdit(edit: BroadcastEdit): void {
    this.#batch.add(edit)
  }

  flush(): void {
    this.#batch.flush()
  }

  /**
   * Returns what to broadcast now; null if nothing is new, or the rate limit holds it back. @throws {RoomRefusal} for a flood, and
   * for bytes that do not decode.
   */
  receivePresence(member: RoomMember, update: Uint8Array): Uint8Array | null {
    return this.#takeUpdateAfter(member, () => this.#presence.receive(member, update))
  }

  /** The same for a message that holds only a caret. */
  receiveCaret(member: RoomMember, cursor: string): Uint8Array | null {
    return this.#takeUpdateAfter(member, () => this.#presence.receiveCaret(member, cursor))
  }

  /** @param receive Returns whether the member has presence that was not broadcast. */
  #takeUpdateAfter(member: RoomMember, receive: () => boolean): Uint8Array | null {
    this.#presenceRateLimit.countReceived(member)
    return receive() && this.#presenceRateLimit.mayBroadcast(member) ? this.takePresenceUpdate(member) : null
  }

  /** Puts the new identity into the member's presence; null if it shows none. */
  changeIdentity(member: RoomMember, identity: PresenceIdentity): Uint8Array | null {
    return this.#presence.changeIdentity(member, identity) ? this.takePresenceUpdate(member) : null
  }

  /** Returns the member's newest presence for the others; null if they have it. */
  takePresenceUpdate(member: RoomMember): Uint8Array | null {
    return this.#presence.takePendingUpdate(member)
  }

  /** The client id of its presence. */
  clientOf(member: RoomMember): number | undefined {
    return this.#presence.clientOf(member)
  }

  broadcastPresence(from: RoomMember, update: Uint8Array): void {
    if (!this.#all.has(from)) return
    this.#broadcastToOthers(from, update)
    this.#options.onPresenceSent(from, update)
  }

  /** Shows a member of another node to this node's. */
  showRemote(member: RemoteMember, update: Uint8Array): void {
    if (this.#presence.receiveRemote(member, update))
      this.#broadcastToOthers(null, this.#presence.takePendingUpdate(member))
  }

  hideRemote(member: RemoteMember): void {
    this.#broadcastToOthers(null, this.#presence.leave(member))
  }

  /** What each member of this node shows. */
  get shown(): { member: RoomMember; update: Uint8Array }[] {
    return [...this.#all].flatMap((member) => {
      const update = this.#presence.encode(member)
      return update ? { member, update } : []
    })
  }

  /** Returns how many bytes were sent. */
  resendPresence(member: RoomMember): number {
    return isReceiving(member) ? this.#sendPresenceOfOthers(member) : 0
  }

  hidePresence(member: RoomMember): void {
    this.#presenceRateLimit.forget(member)
    this.#broadcastToOthers(member, this.#presence.leave(member))
    this.#options.onPresenceHidden(member)
  }

  /** Calls `onElsewhere` with the sender's client id if the recipient, or one of them, is on another node. */
  sendTrace(
    from: RoomMember,
    to: number,
    bytes: Uint8Array,
    onElsewhere: (senderClient: number) => void,
  ): void {
    this.#batch.runAfterEdits(() => {
      const senderClient = this.#presence.clientOf(from) // undefined if it left
      if (senderClient === undefined) return
      this.#notifyTrace(from, senderClient, to, bytes)
      const recipient = this.#presence.ownerOf(to)
      if (to === 0 || (recipient && isRemote(recipient))) onElsewhere(senderClient)
    })
  }

  /** @param from The client id of a sender on another node. */
  sendRemoteTrace(from: number, to: number, bytes: Uint8Array): void {
    this.#batch.runAfterEdits(() => this.#notifyTrace(null, from, to, bytes))
  }

  #notifyTrace(from: RoomMember | null, senderClient: number, to: number, bytes: Uint8Array): void {
    const recipient = to === 0 ? undefined : this.#presence.ownerOf(to)
    const recipients = to === 0 ? this.#all : recipient && !isRemote(recipient) ? [recipient] : []
    for (const member of recipients)
      if (member !== from && isReceiving(member))
        this.#notify(member, ({ subscriber }) => subscriber.onTrace?.(senderClient, bytes))
  }

  broadcastStoreStatus(failing: boolean): void {
    for (const member of this.#all)
      this.#notify(member, ({ subscriber }) => subscriber.onStoreStatus(failing))
  }

  sendRole(member: RoomMember): void {
    this.#notify(member, ({ subscriber, role }) => subscriber.onRole(role))
  }

  /** It is no member any more. */
  sendEviction(member: RoomMember, reason: CloseReason): void {
    this.#notify(member, ({ subscriber }) => subscriber.onEvicted(reason))
  }

  /** Contains a member's error, so that neither the room nor another member suffers from it. */
  #notify(member: RoomMember, run: (member: RoomMember) => void): void {
    try {
      run(member)
    } catch (error) {
      member.hasState = false
      this.#options.onMemberFailed(member, error)
    }
  }

  #sendPresenceOfOthers(member: RoomMember): number {
    const others = this.#presence.encodeOthers(member)
    this.#notify(member, ({ subscriber }) => subscriber.onWholePresence(others))
    return others.reduce((sum, { length }) => sum + length, 0)
  }

  /** @param from Null for a member of another node. */
  #broadcastToOthers(from: RoomMember | null, presence: Uint8Array | null): void {
    if (!presence) return
    this.#batch.runAfterEdits(() => {
      for (const member of this.#all)
        if (member !== from && isReceiving(member))
          this.#notify(member, ({ subscriber }) => subscriber.onPresence(presence))
    })
  }

  #broadcastEdits(edits: readonly BroadcastEdit[]): void {
    const own = indicesByAuthor(edits)
    let all: SharedUpdates | null = null
    let lagClocks: Clocks | null = null
    for (const member of this.#all) {
      const indices = own.get(member)
      if (!isReceiving(member) || indices?.length === edits.length) continue
      all ??= this.#encodeShared(edits.map(({ update }) => update)) // not where the author is alone
      const others = indices ? all.withoutOwn(indices) : all
      this.#notify(member, ({ subscriber }) => {
        if (!subscriber.onChange(others)) member.lagClocks = lagClocks ??= new Map(this.#broadcastClocks)
      })
    }
    for (const { clocks } of edits)
      for (const [client, clock] of clocks) this.#broadcastClocks.set(client, clock)
  }

  #encodeShared(updates: readonly Uint8Array[]): SharedUpdates {
    try {
      return SharedUpdates.of(updates, Y.mergeUpdates)
    } catch (error) {
      this.#options.onMergeFailed(error)
      return SharedUpdates.of(updates)
    }
  }
}

const isReceiving = ({ hasState, lagClocks }: RoomMember): boolean => hasState && lagClocks === null

function indicesByAuthor(edits: readonly BroadcastEdit[]): ReadonlyMap<RoomMember, number[]> {
  const byAuthor = new Map<RoomMember, number[]>()
  edits.forEach(({ author }, index) => {
    if (!author) return
    const own = byAuthor.get(author)
    if (own) own.push(index)
    else byAuthor.set(author, [index])
  })
  return byAuthor
}

const isRemote = (member: RoomMember | RemoteMember): member is RemoteMember => 'node' in member

/** A program with a link's token shares its principal with others, so nobody knows whether it moved. */
function presenceAuthorOf(member: RoomMember | RemoteMember): PresenceAuthor {
  const { isStock } = member
  if (isRemote(member)) {
    const { principal: id, isByLink } = member
    return { identity: { id }, isStock, movesAs: isByLink ? null : id, isRemote: true }
  }
  const { principal } = member
  const movesAs = principal.token === undefined ? principal.id : null
  return { identity: presenceIdentityOf(principal), isStock, movesAs }
}
