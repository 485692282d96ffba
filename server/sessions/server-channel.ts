/** One document part inside a session, at the server's end: joins the room, answers edits, passes on what the room tells. */
import type { AttachMessage, ChannelRole } from '../../lib/protocol/channel-messages.ts'
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
import { fateOf } from '../../lib/protocol/close.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import type { SharedUpdates } from '../../lib/protocol/shared-change.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type ServerCounts, incrementCount } from '../metrics/server-counts.ts'
import type { RoomSubscriber, Membership, Rooms } from '../rooms/rooms.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import type { StateBudget, StatePermit } from './state-budget.ts'

/** An honest client is behind once, and then sends all that it has. */
const MAX_BEHIND = 8

export interface ChannelContext {
  readonly rooms: Rooms
  readonly principal: Principal
  readonly session: string
  send(createMessage: (number: number) => ServerMessage): void
  /** A state or a merged change: its bytes are no fault of its reader. `confirmed` runs once the client has it. */
  sendState(createMessage: (number: number) => ServerMessage, onAcknowledged: () => void): void
  /** Not said, and false, where too much is unconfirmed (S6). */
  sendChange(updates: SharedUpdates, channel: number): boolean
  sendUnnumbered(message: ServerMessage): void
  /** Presence is not worth a queue. */
  readonly acceptsPresence: boolean
  readonly budget: StateBudget
  readonly counts: ServerCounts
  /** The link that brought this deserves no more trust. */
  onBadInput(reason: CloseReason): void
}

export class ServerChannel implements RoomSubscriber {
  readonly #id: number
  readonly #port: ChannelContext
  readonly #request: Pick<AttachMessage, 'document' | 'part' | 'token'>
  #membership: Membership | null = null
  #ended = false
  /** It was asked for a state that is not told yet. */
  #owesState = true
  #savedUpTo = 0
  #telling = false
  /** Its latest edit came too early, on unknown text or with too little budget, and so does whatever was said behind it. */
  #behind = false
  #behindInARow = 0
  /** The number of the last attach. */
  #attachedBy = 0
  /** It takes no changes for now, and hears of them merged once it has caught up. */
  #lags = false
  #missedPresence = false
  /** Of a large state. */
  #turn: StatePermit | null = null
  #storeFails = false
  #toldFailing = false
  /** Edits taken but not yet answered. */
  inFlight = 0

  constructor({ channel, document, part, token }: AttachMessage, context: ChannelContext) {
    this.#id = channel
    this.#request = { document, part, token }
    this.#port = context
  }

  /** Whether this channel has that document part open. A second channel of it would only hear everything again. */
  isFor({ document, part }: AttachMessage): boolean {
    return !this.#ended && document === this.#request.document && part === this.#request.part
  }

  /** @param stateVector Not kept: it may be a view on megabytes that came with it. */
  async join({ stateVector, client }: Pick<AttachMessage, 'stateVector' | 'client'>): Promise<void> {
    const { rooms, principal, session } = this.#port
    try {
      const admit = (bytes: number): Promise<void> => this.#takeTurn(bytes)
      const request = { ...this.#request, principal, session, stateVector, client, admit }
      const membership = await rooms.join(request, this)
      if (!this.#ended) this.#membership = membership
      else {
        membership.leave()
        this.#turn?.release()
      }
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#end(error.reason)
      this.#distrust(error.reason)
    }
  }

  /**
   * Attached again to the same document: it stays in the room, and is answered by the state that is under way, where one is:
   * each may be large, and asking costs nothing. Null: it has to join anew.
   */
  resync({ number, document, part, token, stateVector, client }: AttachMessage): Promise<void> | null {
    const { document: ours, part: ourPart, token: ourToken } = this.#request
    if (this.#ended || document !== ours || part !== ourPart || token !== ourToken) return null
    this.#behind = false
    this.#attachedBy = number
    return this.#owesState ? Promise.resolve() : this.#tellAnew(stateVector, client)
  }

  async #tellAnew(stateVector: Uint8Array, client: number): Promise<void> {
    this.#owesState = true
    try {
      await this.#takeTurn(this.#membership?.missingBytesFor(stateVector) ?? 0)
      this.#membership?.resync(stateVector, client)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#membership?.leave()
      this.#end(error.reason)
      this.#distrust(error.reason)
    }
  }

  /** Before a state is made. @throws {RoomRefusal} where nobody is there any more to hear it. */
  async #takeTurn(bytes: number): Promise<void> {
    this.#turn = await this.#port.budget.acquire(bytes, this.#port.principal.id)
    if (!this.#ended) return
    this.#turn.release()
    throw new RoomRefusal({ code: 'lost', detail: strings.session.left })
  }

  /** By now another state may have its turn. */
  #confirmTurn(): () => void {
    const turn = this.#turn
    return () => turn?.acknowledge()
  }

  /**
   * An edit after the room put this channel out, or behind one that came too early, is passed over: its author attaches again
   * and offers it anew.
   */
  async receiveEdit(update: Uint8Array, number: number): Promise<void> {
    if (!this.#membership) {
      if (this.#ended) return
      throw new ProtocolError('bad-message', strings.session.notYetAttached(this.#id))
    }
    if (this.#behind) return
    this.inFlight += 1
    try {
      await this.#membership.sendEdit(update, number)
      this.#behindInARow = 0
      this.#saved(number)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#onRefusal(number, error.reason)
    } finally {
      this.inFlight -= 1
    }
  }

  receivePresence(update: Uint8Array): void {
    this.#tellRoom((membership) => membership.sendPresence(update))
  }

  receiveCaret(cursor: string): void {
    this.#tellRoom((membership) => membership.sendCaret(cursor))
  }

  #tellRoom(tell: (membership: Membership) => void): void {
    try {
      if (this.#membership) tell(this.#membership)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#port.onBadInput(error.reason)
    }
  }

  receiveTrace(to: number, bytes: Uint8Array): void {
    this.#membership?.sendTrace(to, bytes)
  }

  /** What was said has come through: what was left out meanwhile is told. Null: nothing, as nearly always. */
  onProgress(): Promise<void> | null {
    if (this.#missedPresence && !this.#lags && this.#port.acceptsPresence) {
      this.#missedPresence = false
      this.#membership?.resendPresence()
    }
    return this.#lags ? this.#catchUp() : null
  }

  async #catchUp(): Promise<void> {
    this.#lags = false
    const { budget, principal } = this.#port
    this.#turn = await budget.acquire(this.#membership?.lagBytes() ?? 0, principal.id)
    if (this.#membership) this.#membership.catchUp()
    else this.#turn.release()
  }

  get isLagging(): boolean {
    return this.#lags
  }

  /** Silent where the room is in the middle of a commit. */
  async compareDigest(digest: Uint8Array): Promise<void> {
    const own = await this.#membership?.computeDigest()
    if (!own || this.#ended) return
    const same = Buffer.compare(own, digest) === 0
    this.#port.sendUnnumbered({ type: 'compared', channel: this.#id, same })
  }

  onNewLink(): void {
    this.#membership?.resendPresence()
    if (this.#toldFailing) this.#tellStore(this.#storeFails)
  }

  /** What is said once may be lost with its link. */
  #tellStore(failing: boolean): void {
    this.#storeFails = failing
    this.#toldFailing ||= failing
    this.#port.sendUnnumbered({ type: 'store', channel: this.#id, failing })
  }

  hidePresence(): void {
    this.#membership?.hidePresence()
  }

  leave(): void {
    this.#ended = true
    this.#turn?.release()
    this.#membership?.leave()
    this.#membership = null
  }

  // What the room tells: of the class, since thousands of channels with a closure for each of these would be megabytes.

  onState(state: Parameters<RoomSubscriber['onState']>[0]): void {
    this.#owesState = false
    this.#lags = false
    const createMessage = (number: number) =>
      ({ type: 'attached', number, channel: this.#id, ...state }) as const
    this.#port.sendState(createMessage, this.#confirmTurn())
  }

  onChange(updates: SharedUpdates): boolean {
    this.#lags = !this.#port.sendChange(updates, this.#id)
    return !this.#lags
  }

  onMissedEdits(update: Uint8Array): void {
    const createMessage = (number: number) =>
      ({ type: 'change', number, channel: this.#id, updates: [update] }) as const
    this.#port.sendState(createMessage, this.#confirmTurn())
  }

  onPresence(update: Uint8Array): void {
    if (this.#port.acceptsPresence) this.#sayPresence(update, false)
    else this.#missedPresence = true
  }

  onWholePresence(updates: readonly Uint8Array[]): void {
    if (!this.#port.acceptsPresence) this.#missedPresence = true
    else updates.forEach((update, index) => this.#sayPresence(update, index === updates.length - 1))
  }

  onTrace(client: number, bytes: Uint8Array): void {
    if (this.#port.acceptsPresence)
      this.#port.sendUnnumbered({ type: 'trace', channel: this.#id, client, bytes })
  }

  onRole(role: ChannelRole): void {
    this.#port.send((number) => ({ type: 'role', number, channel: this.#id, role }))
  }

  onStoreStatus(failing: boolean): void {
    this.#tellStore(failing)
  }

  onEvicted(reason: CloseReason): void {
    this.#end(reason)
  }

  #sayPresence(update: Uint8Array, whole: boolean): void {
    this.#port.sendUnnumbered({ type: 'presence', channel: this.#id, whole, update })
  }

  /** Cumulative: what one commit brought is said once. */
  #saved(number: number): void {
    this.#savedUpTo = Math.max(this.#savedUpTo, number)
    if (this.#telling || this.#ended) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      const { send } = this.#port
      send((own) => ({ type: 'saved', number: own, channel: this.#id, upTo: this.#savedUpTo }))
    })
  }

  #onRefusal(number: number, reason: CloseReason): void {
    if (fateOf(reason) !== 'retry') return this.#refuse(number, reason)
    if (this.#behind) return // one frame brought it together with the one that was refused
    if (number < this.#attachedBy) return // refused late: its author has attached again, and offers it anew
    this.#behind = true
    if (reason.code !== 'behind') return this.#refuse(number, reason)
    this.#behindInARow += 1
    const honest = this.#behindInARow <= MAX_BEHIND
    this.#refuse(number, honest ? reason : { code: 'bad-update', detail: reason.detail ?? '' })
  }

  #refuse(refused: number, reason: CloseReason): void {
    incrementCount(this.#port.counts.refusals, reason.code)
    this.#port.send((number) => ({ type: 'refused', number, channel: this.#id, refused, reason }))
    this.#distrust(reason)
  }

  /** What no honest client sends costs the link; a right that is missing, a full document, an edit that is too much, or the same random id does not. */
  #distrust(reason: CloseReason): void {
    const honest: readonly CloseCode[] = ['forbidden', 'too-large', 'too-costly', 'taken']
    if (fateOf(reason) === 'stop' && !honest.includes(reason.code)) this.#port.onBadInput(reason)
  }

  #end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    incrementCount(this.#port.counts.refusals, reason.code)
    this.#turn?.release()
    this.#membership = null
    this.#port.send((number) => ({ type: 'detached', number, channel: this.#id, reason }))
  }
}
