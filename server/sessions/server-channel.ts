/** One document part inside a session, at the server's end: joins the room, answers edits, passes on what the room tells. */
import type { Attach, ChannelRole } from '../../lib/protocol/channel.ts'
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
import { fateOf } from '../../lib/protocol/close.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import type { SharedUpdates } from '../../lib/protocol/shared.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { type Counts, countUnder } from '../metrics/counts.ts'
import type { Member, Membership, Rooms } from '../rooms/rooms.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import type { StateBudget, StateTurn } from './state-budget.ts'

/** An honest client is behind once, and then sends all that it has. */
const MAX_BEHIND = 8

export interface ChannelPort {
  readonly rooms: Rooms
  readonly principal: Principal
  readonly session: string
  say(make: (number: number) => ServerMessage): void
  /** A state or a merged change: its bytes are no fault of its reader. `confirmed` runs once the client has it. */
  sayState(make: (number: number) => ServerMessage, confirmed: () => void): void
  /** Not said, and false, where too much is unconfirmed (S6). */
  sayChange(updates: SharedUpdates, channel: number): boolean
  sayOnce(message: ServerMessage): void
  /** Presence is not worth a queue. */
  readonly takesPresence: boolean
  readonly budget: StateBudget
  readonly counts: Counts
  /** The link that brought this deserves no more trust. */
  onBadInput(reason: CloseReason): void
}

export class ServerChannel implements Member {
  readonly #id: number
  readonly #port: ChannelPort
  readonly #request: Pick<Attach, 'document' | 'part' | 'token'>
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
  #turn: StateTurn | null = null
  #storeFails = false
  #toldFailing = false
  /** Edits taken but not yet answered. */
  inFlight = 0

  constructor({ channel, document, part, token }: Attach, port: ChannelPort) {
    this.#id = channel
    this.#request = { document, part, token }
    this.#port = port
  }

  /** Whether this channel has that document part open. A second channel of it would only hear everything again. */
  isOf({ document, part }: Attach): boolean {
    return !this.#ended && document === this.#request.document && part === this.#request.part
  }

  /** @param stateVector Not kept: it may be a view on megabytes that came with it. */
  async join({ stateVector, client }: Pick<Attach, 'stateVector' | 'client'>): Promise<void> {
    const { rooms, principal, session } = this.#port
    try {
      const admit = (bytes: number): Promise<void> => this.#takeTurn(bytes)
      const request = { ...this.#request, principal, session, stateVector, client, admit }
      const membership = await rooms.join(request, this)
      if (!this.#ended) this.#membership = membership
      else {
        membership.leave()
        this.#turn?.end()
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
  resync({ number, document, part, token, stateVector, client }: Attach): Promise<void> | null {
    const { document: ours, part: its, token: by } = this.#request
    if (this.#ended || document !== ours || part !== its || token !== by) return null
    this.#behind = false
    this.#attachedBy = number
    return this.#owesState ? Promise.resolve() : this.#tellAnew(stateVector, client)
  }

  async #tellAnew(stateVector: Uint8Array, client: number): Promise<void> {
    this.#owesState = true
    try {
      await this.#takeTurn(this.#membership?.lacks(stateVector) ?? 0)
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
    this.#turn = await this.#port.budget.take(bytes, this.#port.principal.id)
    if (!this.#ended) return
    this.#turn.end()
    throw new RoomRefusal({ code: 'lost', detail: strings.session.left })
  }

  /** By now another state may have its turn. */
  #confirmTurn(): () => void {
    const turn = this.#turn
    return () => turn?.confirm()
  }

  /**
   * An edit after the room put this channel out, or behind one that came too early, is passed over: its author attaches again
   * and offers it anew.
   */
  async edit(update: Uint8Array, number: number): Promise<void> {
    if (!this.#membership) {
      if (this.#ended) return
      throw new ProtocolError('bad-message', strings.session.notYetAttached(this.#id))
    }
    if (this.#behind) return
    this.inFlight += 1
    try {
      await this.#membership.edit(update, number)
      this.#behindInARow = 0
      this.#saved(number)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#onRefusal(number, error.reason)
    } finally {
      this.inFlight -= 1
    }
  }

  presence(update: Uint8Array): void {
    this.#tellRoom((membership) => membership.presence(update))
  }

  caret(cursor: string): void {
    this.#tellRoom((membership) => membership.caret(cursor))
  }

  #tellRoom(tell: (membership: Membership) => void): void {
    try {
      if (this.#membership) tell(this.#membership)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#port.onBadInput(error.reason)
    }
  }

  trace(to: number, bytes: Uint8Array): void {
    this.#membership?.trace(to, bytes)
  }

  /** What was said has come through: what was left out meanwhile is told. Null: nothing, as nearly always. */
  onProgress(): Promise<void> | null {
    if (this.#missedPresence && !this.#lags && this.#port.takesPresence) {
      this.#missedPresence = false
      this.#membership?.repeatPresence()
    }
    return this.#lags ? this.#catchUp() : null
  }

  async #catchUp(): Promise<void> {
    this.#lags = false
    const { budget, principal } = this.#port
    this.#turn = await budget.take(this.#membership?.owes() ?? 0, principal.id)
    if (this.#membership) this.#membership.catchUp()
    else this.#turn.end()
  }

  get lags(): boolean {
    return this.#lags
  }

  /** Silent where the room is in the middle of a commit. */
  async compare(digest: Uint8Array): Promise<void> {
    const own = await this.#membership?.digest()
    if (!own || this.#ended) return
    const same = Buffer.compare(own, digest) === 0
    this.#port.sayOnce({ type: 'compared', channel: this.#id, same })
  }

  onLink(): void {
    this.#membership?.repeatPresence()
    if (this.#toldFailing) this.#tellStore(this.#storeFails)
  }

  /** What is said once may be lost with its link. */
  #tellStore(failing: boolean): void {
    this.#storeFails = failing
    this.#toldFailing ||= failing
    this.#port.sayOnce({ type: 'store', channel: this.#id, failing })
  }

  hidePresence(): void {
    this.#membership?.hidePresence()
  }

  leave(): void {
    this.#ended = true
    this.#turn?.end()
    this.#membership?.leave()
    this.#membership = null
  }

  // What the room tells: of the class, since thousands of channels with a closure for each of these would be megabytes.

  onState(state: Parameters<Member['onState']>[0]): void {
    this.#owesState = false
    this.#lags = false
    const make = (number: number) => ({ type: 'attached', number, channel: this.#id, ...state }) as const
    this.#port.sayState(make, this.#confirmTurn())
  }

  onChange(updates: SharedUpdates): boolean {
    this.#lags = !this.#port.sayChange(updates, this.#id)
    return !this.#lags
  }

  onCaughtUp(update: Uint8Array): void {
    const make = (number: number) =>
      ({ type: 'change', number, channel: this.#id, updates: [update] }) as const
    this.#port.sayState(make, this.#confirmTurn())
  }

  onPresence(update: Uint8Array): void {
    if (this.#port.takesPresence) this.#sayPresence(update, false)
    else this.#missedPresence = true
  }

  onWholePresence(updates: readonly Uint8Array[]): void {
    if (!this.#port.takesPresence) this.#missedPresence = true
    else updates.forEach((update, index) => this.#sayPresence(update, index === updates.length - 1))
  }

  onTrace(client: number, bytes: Uint8Array): void {
    if (this.#port.takesPresence) this.#port.sayOnce({ type: 'trace', channel: this.#id, client, bytes })
  }

  onRole(role: ChannelRole): void {
    this.#port.say((number) => ({ type: 'role', number, channel: this.#id, role }))
  }

  onStore(failing: boolean): void {
    this.#tellStore(failing)
  }

  onEvicted(reason: CloseReason): void {
    this.#end(reason)
  }

  #sayPresence(update: Uint8Array, whole: boolean): void {
    this.#port.sayOnce({ type: 'presence', channel: this.#id, whole, update })
  }

  /** Cumulative: what one commit brought is said once. */
  #saved(number: number): void {
    this.#savedUpTo = Math.max(this.#savedUpTo, number)
    if (this.#telling || this.#ended) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      const { say } = this.#port
      say((own) => ({ type: 'saved', number: own, channel: this.#id, upTo: this.#savedUpTo }))
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
    countUnder(this.#port.counts.refusals, reason.code)
    this.#port.say((number) => ({ type: 'refused', number, channel: this.#id, refused, reason }))
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
    countUnder(this.#port.counts.refusals, reason.code)
    this.#turn?.end()
    this.#membership = null
    this.#port.say((number) => ({ type: 'detached', number, channel: this.#id, reason }))
  }
}
