/** One document part inside a session, at the server's end: joins the room, answers edits, passes on what the room tells. */
import type { Attach, ChannelRole } from '../../lib/protocol/channel.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { fateOf } from '../../lib/protocol/close.ts'
import type { ServerMessage } from '../../lib/protocol/message.ts'
import { ProtocolError } from '../../lib/protocol/wire.ts'
import type { Principal } from '../access/principal.ts'
import type { Member, Membership, Rooms } from '../rooms/rooms.ts'
import { RoomRefusal } from '../rooms/rooms.ts'

export interface ChannelPort {
  readonly rooms: Rooms
  readonly principal: Principal
  readonly session: string
  say(make: (number: number) => ServerMessage): void
  sayOnce(message: ServerMessage): void
  /** The link that brought this deserves no more trust. */
  onBadInput(reason: CloseReason): void
}

export class ServerChannel {
  readonly #id: number
  readonly #port: ChannelPort
  #membership: Membership | null = null
  #ended = false
  #savedUpTo = 0
  #telling = false
  /** Edits taken but not yet answered. */
  inFlight = 0

  constructor(id: number, port: ChannelPort) {
    this.#id = id
    this.#port = port
  }

  async join({ document, part, token, stateVector }: Attach): Promise<void> {
    const { rooms, principal, session } = this.#port
    try {
      const membership = await rooms.join(
        { document, part, principal, session, token, stateVector },
        this.#member(),
      )
      if (this.#ended) membership.leave()
      else this.#membership = membership
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#end(error.reason)
      this.#distrust(error.reason)
    }
  }

  /** An edit after the room put this channel out is passed over: its author attaches again and offers it anew. */
  async edit(update: Uint8Array, number: number): Promise<void> {
    if (!this.#membership) {
      if (this.#ended) return
      throw new ProtocolError('bad-message', `an edit on channel ${this.#id} before it was attached`)
    }
    this.inFlight += 1
    try {
      await this.#membership.edit(update, number)
      this.#saved(number)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#refuse(number, error.reason)
    } finally {
      this.inFlight -= 1
    }
  }

  presence(update: Uint8Array): void {
    try {
      this.#membership?.presence(update)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      this.#port.onBadInput(error.reason)
    }
  }

  onLink(): void {
    this.#membership?.repeatPresence()
  }

  hidePresence(): void {
    this.#membership?.hidePresence()
  }

  leave(): void {
    this.#ended = true
    this.#membership?.leave()
    this.#membership = null
  }

  #member(): Member {
    const channel = this.#id
    const { say, sayOnce } = this.#port
    return {
      onState: (state) => say((number) => ({ type: 'attached', number, channel, ...state })),
      onChange: (update) => say((number) => ({ type: 'change', number, channel, update })),
      onPresence: (update, whole) => sayOnce({ type: 'presence', channel, whole, update }),
      onRole: (role: ChannelRole) => say((number) => ({ type: 'role', number, channel, role })),
      onEvicted: (reason) => this.#end(reason),
    }
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

  #refuse(refused: number, reason: CloseReason): void {
    this.#port.say((number) => ({ type: 'refused', number, channel: this.#id, refused, reason }))
    this.#distrust(reason)
  }

  /** What no honest client sends costs the link; a right that is missing or a document that is full does not. */
  #distrust(reason: CloseReason): void {
    const honest = reason.code === 'forbidden' || reason.code === 'too-large'
    if (fateOf(reason) === 'stop' && !honest) this.#port.onBadInput(reason)
  }

  #end(reason: CloseReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#membership = null
    this.#port.say((number) => ({ type: 'detached', number, channel: this.#id, reason }))
  }
}
