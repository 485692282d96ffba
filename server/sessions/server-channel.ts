/** The server's end of a channel, one document part in a session: joins the room, answers edits, and relays what the room sends. */
import type { AttachMessage, ChannelRole } from '../../lib/protocol/channel-messages.ts'
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
import { fateOf } from '../../lib/protocol/close.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import type { Membership } from '../rooms/membership.ts'
import type { Rooms } from '../rooms/create-rooms.ts'
import type { RoomSubscriber, StateCost } from '../rooms/rooms.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import type { Meter } from '../metering/meter.ts'
import { joinUnits, type WorkKind } from '../metering/prices.ts'
import type { StateBudget, StatePermit } from './state-budget.ts'

/** An honest client is behind once, and then sends all that it has. More refusals in a row count as bad input. */
const MAX_BEHIND = 8

export interface ChannelContext {
  readonly rooms: Rooms
  readonly principal: Principal
  readonly session: string
  send(createMessage: (number: number) => ServerMessage): void
  /** Sends a state or merged change, whose bytes are no fault of the reader. @param onAcknowledged Called when the client has it. */
  sendState(createMessage: (number: number) => ServerMessage, onAcknowledged: () => void): void
  /** Sends nothing and returns false if too much is unacknowledged (S6). */
  sendChange(updates: SharedUpdates, channel: number): boolean
  sendUnnumbered(message: ServerMessage): void
  /** False while the reader is behind: presence is not worth a queue. */
  readonly acceptsPresence: boolean
  readonly budget: StateBudget
  readonly meter: Meter
  readonly counts: ServerCounts
  /** Called for input that no honest client sends. */
  onBadInput(reason: CloseReason): void
}

export class ServerChannel implements RoomSubscriber {
  readonly #id: number
  readonly #context: ChannelContext
  readonly #request: Pick<AttachMessage, 'document' | 'part' | 'token'>
  #membership: Membership | null = null
  #ended = false
  /** True while a requested state is not sent yet. */
  #isStatePending = true
  #savedUpTo = 0
  #isSavedScheduled = false
  /** True after an edit came too early, on unknown text or with too little budget: all edits behind it are too early as well. */
  #isBehind = false
  #behindInARow = 0
  /** The number of the last attach. */
  #attachNumber = 0
  /** True while it takes no changes; it gets them merged when the reader has caught up. */
  #isLagging = false
  #missedPresence = false
  /** The permit of a large state. */
  #permit: StatePermit | null = null
  #isStoreFailing = false
  #wasFailureSent = false
  /** How many edits were received and not answered yet. */
  inFlight = 0

  constructor({ channel, document, part, token }: AttachMessage, context: ChannelContext) {
    this.#id = channel
    this.#request = { document, part, token }
    this.#context = context
  }

  /** True if this channel has that document part open. A second channel for it would only receive everything twice. */
  isFor({ document, part }: AttachMessage): boolean {
    return !this.#ended && document === this.#request.document && part === this.#request.part
  }

  /** @param stateVector Not stored, since it may be a view of a frame of megabytes. */
  async join({ stateVector, client }: Pick<AttachMessage, 'stateVector' | 'client'>): Promise<void> {
    const { rooms, principal, session } = this.#context
    try {
      await this.#spend(joinUnits(stateVector.length), 'join', stateVector.length)
      const admit = (cost: StateCost): Promise<void> => this.#acquirePermit(cost)
      const request = { ...this.#request, principal, session, stateVector, client, admit }
      const membership = await rooms.join(request, this)
      if (!this.#ended) this.#membership = membership
      else {
        membership.leave()
        this.#permit?.release()
      }
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#end(error.reason)
      this.#reportDishonest(error.reason)
    }
  }

  /**
   * Handles another attach to the same document: the channel stays in the room. A state that is under way is the answer, because
   * states may be large, and requests cost nothing. Returns null if a new channel has to join.
   */
  resync({ number, document, part, token, stateVector, client }: AttachMessage): Promise<void> | null {
    const own = this.#request
    if (this.#ended || document !== own.document || part !== own.part || token !== own.token) return null
    this.#isBehind = false
    this.#attachNumber = number
    const membership = this.#membership
    return this.#isStatePending || !membership
      ? Promise.resolve()
      : this.#sendStateAgain(membership, stateVector, client)
  }

  async #sendStateAgain(membership: Membership, stateVector: Uint8Array, client: number): Promise<void> {
    this.#isStatePending = true
    try {
      const clocks = membership.readStateVector(stateVector)
      await this.#acquirePermit(membership.stateCostFor(clocks))
      await membership.resync(clocks, client)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      membership.leave()
      this.#end(error.reason)
      this.#reportDishonest(error.reason)
    }
  }

  /** Called before a state is encoded. @throws {RoomRefusal} if the channel has left meanwhile. */
  async #acquirePermit({ bytes, units }: StateCost): Promise<void> {
    await this.#spend(units, 'state')
    this.#permit = await this.#context.budget.acquire(bytes, this.#context.principal.id)
    if (!this.#ended) return
    this.#permit.release()
    throw new RoomRefusal({ code: 'lost', detail: serverRefusalsStrings.session.left })
  }

  /** Waits until the principal may cause the work. @throws {RoomRefusal} also if the channel has left meanwhile. */
  async #spend(units: number, kind: WorkKind, heldBytes = 0): Promise<void> {
    const { meter, principal, session: window } = this.#context
    await meter.spend(principal, units, kind, { window, heldBytes, isWanted: () => !this.#ended })
    if (this.#ended) throw new RoomRefusal({ code: 'lost', detail: serverRefusalsStrings.session.left })
  }

  /** Binds the present permit, since another state may have the next one by the time of the acknowledgement. */
  #permitAcknowledgement(): () => void {
    const permit = this.#permit
    return () => permit?.acknowledge()
  }

  /**
   * Ignores an edit that comes after the room evicted this channel, or behind one that came too early: its author attaches again and
   * sends it again.
   */
  async receiveEdit(update: Uint8Array, number: number): Promise<void> {
    if (!this.#membership) {
      if (this.#ended) return
      throw new ProtocolError('bad-message', serverRefusalsStrings.session.notYetAttached(this.#id))
    }
    if (this.#isBehind) return
    this.inFlight += 1
    const receivedAt = performance.now()
    try {
      await this.#membership.sendEdit(update, number)
      this.#context.counts.acknowledgements.recordSince(receivedAt)
      this.#behindInARow = 0
      this.#sendSaved(number)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#onRefusal(number, error.reason)
    } finally {
      this.inFlight -= 1
    }
  }

  receivePresence(update: Uint8Array): void {
    this.#sendToRoom((membership) => membership.sendPresence(update))
  }

  receiveCaret(cursor: string): void {
    this.#sendToRoom((membership) => membership.sendCaret(cursor))
  }

  #sendToRoom(send: (membership: Membership) => void): void {
    try {
      if (this.#membership) send(this.#membership)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#context.onBadInput(error.reason)
    }
  }

  receiveTrace(to: number, bytes: Uint8Array): void {
    this.#membership?.sendTrace(to, bytes)
  }

  /** Called when messages got through: sends what was left out meanwhile. Null, the usual case, if nothing was. */
  onProgress(): Promise<void> | null {
    if (this.#missedPresence && !this.#isLagging && this.#context.acceptsPresence) {
      this.#missedPresence = false
      this.#membership?.resendPresence()
    }
    return this.#isLagging ? this.#catchUp() : null
  }

  async #catchUp(): Promise<void> {
    this.#isLagging = false
    const { budget, principal } = this.#context
    this.#permit = await budget.acquire(this.#membership?.lagBytes() ?? 0, principal.id)
    if (this.#membership) this.#membership.catchUp()
    else this.#permit.release()
  }

  get isLagging(): boolean {
    return this.#isLagging
  }

  /** Sends no answer if the room is in the middle of a commit. */
  async compareDigest(digest: Uint8Array): Promise<void> {
    const own = await this.#membership?.computeDigest()
    if (!own || this.#ended) return
    const same = Buffer.compare(own, digest) === 0
    this.#context.sendUnnumbered({ type: 'compared', channel: this.#id, same })
  }

  onNewLink(): void {
    this.#membership?.resendPresence()
    if (this.#wasFailureSent) this.#sendStoreStatus(this.#isStoreFailing)
  }

  /** Unnumbered, so it may be lost with its link: `onNewLink` sends it again. */
  #sendStoreStatus(failing: boolean): void {
    this.#isStoreFailing = failing
    this.#wasFailureSent ||= failing
    this.#context.sendUnnumbered({ type: 'store', channel: this.#id, failing })
  }

  hidePresence(): void {
    this.#membership?.hidePresence()
  }

  leave(): void {
    this.#ended = true
    this.#permit?.release()
    this.#membership?.leave()
    this.#membership = null
  }

  // The room's callbacks are methods of the class, since a closure for each would cost megabytes with thousands of channels.

  onState(state: Parameters<RoomSubscriber['onState']>[0]): void {
    this.#isStatePending = false
    this.#isLagging = false
    const createMessage = (number: number) =>
      ({ type: 'attached', number, channel: this.#id, ...state }) as const
    this.#context.sendState(createMessage, this.#permitAcknowledgement())
  }

  onChange(updates: SharedUpdates): boolean {
    this.#isLagging = !this.#context.sendChange(updates, this.#id)
    return !this.#isLagging
  }

  onMissedEdits(update: Uint8Array): void {
    const createMessage = (number: number) =>
      ({ type: 'change', number, channel: this.#id, updates: [update] }) as const
    this.#context.sendState(createMessage, this.#permitAcknowledgement())
  }

  onPresence(update: Uint8Array): void {
    if (this.#context.acceptsPresence) this.#sendPresence(update, false)
    else this.#missedPresence = true
  }

  onWholePresence(updates: readonly Uint8Array[]): void {
    if (!this.#context.acceptsPresence) this.#missedPresence = true
    else updates.forEach((update, index) => this.#sendPresence(update, index === updates.length - 1))
  }

  onTrace(client: number, bytes: Uint8Array): void {
    if (this.#context.acceptsPresence)
      this.#context.sendUnnumbered({ type: 'trace', channel: this.#id, client, bytes })
  }

  onRole(role: ChannelRole): void {
    this.#context.send((number) => ({ type: 'role', number, channel: this.#id, role }))
  }

  onStoreStatus(failing: boolean): void {
    this.#sendStoreStatus(failing)
  }

  onEvicted(reason: CloseReason): void {
    this.#end(reason)
  }

  #sendPresence(update: Uint8Array, whole: boolean): void {
    this.#context.sendUnnumbered({ type: 'presence', channel: this.#id, whole, update })
  }

  /** `saved` is cumulative, so that one message covers all edits of a commit. */
  #sendSaved(number: number): void {
    this.#savedUpTo = Math.max(this.#savedUpTo, number)
    if (this.#isSavedScheduled || this.#ended) return
    this.#isSavedScheduled = true
    queueMicrotask(() => {
      this.#isSavedScheduled = false
      const { send } = this.#context
      send((own) => ({ type: 'saved', number: own, channel: this.#id, upTo: this.#savedUpTo }))
    })
  }

  #onRefusal(number: number, reason: CloseReason): void {
    if (fateOf(reason) !== 'retry') return this.#refuse(number, reason)
    if (this.#isBehind) return // it came in one frame with the refused one
    if (number < this.#attachNumber) return // the refusal is late: its author has attached again, and sends it again
    this.#isBehind = true
    if (reason.code !== 'behind') return this.#refuse(number, reason)
    this.#behindInARow += 1
    const isHonest = this.#behindInARow <= MAX_BEHIND
    this.#refuse(number, isHonest ? reason : { code: 'bad-update', detail: reason.detail ?? '' })
  }

  #refuse(refused: number, reason: CloseReason): void {
    incrementCount(this.#context.counts.refusals, reason.code)
    this.#context.send((number) => ({ type: 'refused', number, channel: this.#id, refused, reason }))
    this.#reportDishonest(reason)
  }

  /** Reports what no honest client sends. A missing right, a full document, a costly edit or a taken random id may be honest. */
  #reportDishonest(reason: CloseReason): void {
    const honestCodes: readonly CloseCode[] = ['forbidden', 'too-large', 'too-costly', 'taken']
    if (fateOf(reason) === 'stop' && !honestCodes.includes(reason.code)) this.#context.onBadInput(reason)
  }

  #end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    incrementCount(this.#context.counts.refusals, reason.code)
    this.#permit?.release()
    this.#membership = null
    this.#context.send((number) => ({ type: 'detached', number, channel: this.#id, reason }))
  }
}
