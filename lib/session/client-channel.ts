/**
 * The client's side of one document part within a session.
 *
 *     ready, and in a session
 *     ▼
 *   attaching ──attached──▶ attached ──detached──▶ detached
 *     ▲   ▲                  │    │ detached, to come again
 *     │   └─ session lost, ──┘    ▼
 *     │      compared again     paused
 *     └────────── due ───────────┘
 *
 * Each attachment exchanges state vectors (S3). After a refusal nothing more is sent: every later edit builds on one that
 * the server does not have. The channel counts unsaved edits. It does not know Yjs: an update is bytes.
 */
import type { AttachCause, AttachedMessage, ChannelPart, ChannelRole } from '../protocol/channel-messages.ts'
import type { CloseReason } from '../protocol/close.ts'
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts'
import type { ClientMessage } from '../protocol/message.ts'
import { transportsStrings } from '../strings/transports.ts'

/** An edit message holds four numbers beside its update. */
const MAX_EDIT_HEAD_BYTES = 64

export interface ChannelRequest {
  readonly document: string
  readonly part: ChannelPart
  /** A link's token, '' for none. */
  readonly token: string
}

export interface ChannelHandlers {
  /** The state vector of this side at the moment of the call. */
  stateVector(): Uint8Array
  /** The Yjs client id that edits are written under. */
  clientId(): number
  /** The client id belongs to somebody else. Returns false if no other can be taken, since edits are written under it. */
  onClientIdTaken(): boolean
  /** Applies the server's updates. Returns what the server lacks, null for nothing. */
  onAttached(message: Pick<AttachedMessage, 'role' | 'updates' | 'stateVector'>): Uint8Array | null
  onChange(update: Uint8Array): void
  /** @param whole The update holds everybody who is present. */
  onPresence(update: Uint8Array, whole: boolean): void
  /** Another window sent figures about delays. @param from The window's presence id. */
  onTrace(from: number, bytes: Uint8Array): void
  onRole(role: ChannelRole): void
  /** The server's store stopped taking edits, or takes them again (D3). */
  onStoreState(failing: boolean): void
  /** The server compared a `digest` with its own text (D7). */
  onCompared(same: boolean): void
  /** An edit will never be stored: the text on screen differs from the server's until the page is loaded again. */
  onRefused(reason: CloseReason): void
  onDetached(reason: CloseReason): void
  /** A link or the attachment came up: the receiver sends its unnumbered messages again. */
  onLink(): void
  /** There is no link any more. */
  onUnlinked(): void
  onCountChange(): void
}

/** What a channel needs from its session. */
export interface ClientChannelPort {
  /** Returns the message's number. */
  send(make: (number: number) => ClientMessage, channel: number, editCount: number): number
  sendUnnumbered(message: ClientMessage): void
  /** Unacknowledged edits of this channel no longer count: state vectors bring their text. */
  abandonEdits(channel: number): void
  /** A session began, or begins with the next message. */
  readonly hasBegun: boolean
}

type Phase = 'waiting' | 'attaching' | 'attached' | 'paused' | 'detached'

export class ClientChannel {
  readonly id: number
  readonly #request: ChannelRequest
  readonly #handlers: ChannelHandlers
  readonly #port: ClientChannelPort
  #phase: Phase = 'waiting'
  /** Edits that only the document holds: made while not attached, or sent in a session that was lost. */
  #heldEdits = 0
  #sentEdits = 0
  #refusedEdits = 0
  #refusal: CloseReason | null = null
  #wasAttached = false
  #needsFullSync = false
  /** All edits ever made. The saved ones are the first of them. */
  edits = 0
  /** How often in a row the server paused the channel. */
  pauseCount = 0
  /** Why the server paused the channel; null once it is attached again, or after `full` once an edit is saved. */
  pauseReason: CloseReason | null = null

  constructor(id: number, request: ChannelRequest, handlers: ChannelHandlers, port: ClientChannelPort) {
    this.id = id
    this.#request = request
    this.#handlers = handlers
    this.#port = port
  }

  /** The number of edits that the server has not committed. */
  get unsaved(): number {
    return this.#heldEdits + this.#sentEdits + this.#refusedEdits
  }

  /** Whether the server may lack edits that no state vector shows. */
  get holdsEdits(): boolean {
    return this.#heldEdits > 0
  }

  /** Whether the server needs the whole text, though no edits are held: the two texts differ, and nobody knows why. */
  get needsFullSync(): boolean {
    return this.#needsFullSync
  }

  /** This side has loaded its own copy: from now on the server is asked for the rest. */
  markReady(): void {
    if (this.#phase !== 'waiting') return
    this.#phase = 'attaching'
    if (this.#port.hasBegun) this.attach()
  }

  /** Returns the message's number if the edit could be sent. */
  sendEdit(update: Uint8Array): number | undefined {
    this.edits += 1
    const number = this.#phase === 'attached' ? this.#sendUpdate(update, 1) : undefined
    if (this.#phase !== 'attached') this.#heldEdits += 1
    this.#handlers.onCountChange()
    return number
  }

  sendPresence(update: Uint8Array): void {
    if (this.#phase === 'attached')
      this.#port.sendUnnumbered({ type: 'presence', channel: this.id, whole: false, update })
  }

  /** @param cursor JSON, part of a presence state that was sent on this link. */
  sendCaret(cursor: string): void {
    if (this.#phase === 'attached') this.#port.sendUnnumbered({ type: 'caret', channel: this.id, cursor })
  }

  /** @param to A window's presence id, 0 for all other windows. */
  sendTrace(to: number, bytes: Uint8Array): void {
    if (this.#phase === 'attached')
      this.#port.sendUnnumbered({ type: 'trace', channel: this.id, client: to, bytes })
  }

  sendDigest(digest: Uint8Array): void {
    if (this.#phase === 'attached') this.#port.sendUnnumbered({ type: 'digest', channel: this.id, digest })
  }

  detach(): void {
    if (this.#phase === 'detached') return
    const wasReady = this.#phase !== 'waiting'
    this.#phase = 'detached'
    if (!wasReady) return
    this.#port.send((number) => ({ type: 'detach', number, channel: this.id }), this.id, 0)
  }

  /** Counts edits of another window: the document holds them already, and nobody else sends them to the server. */
  adoptEdits(edits: number): void {
    this.edits += edits
    this.#heldEdits += edits
    this.reattach('neighbour')
    this.#handlers.onCountChange()
  }

  // The session calls the methods below.

  /** The server detached this channel for a time: edits are held until it is attached again. */
  pause(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    this.pauseCount += 1
    this.pauseReason = reason
    this.#holdEdits('paused')
    this.#handlers.onCountChange()
  }

  /** Ends a pause, unless something else ended it. */
  resume(): void {
    if (this.#phase === 'paused') this.attach()
  }

  attach(cause: AttachCause = this.#wasAttached ? 'session' : 'opening'): void {
    if (this.#phase === 'detached' || this.#phase === 'waiting') return
    this.#holdEdits('attaching')
    const stateVector = this.#handlers.stateVector()
    const client = this.#handlers.clientId()
    this.#port.send(
      (number) => ({
        type: 'attach',
        number,
        channel: this.id,
        ...this.#request,
        stateVector,
        client,
        cause,
      }),
      this.id,
      0,
    )
  }

  /** Compares the two texts once more and sends each side what it lacks. Does nothing while a comparison is under way. */
  reattach(cause: AttachCause): void {
    if (this.#phase !== 'attached') return
    this.#needsFullSync ||= cause === 'digest' || cause === 'pending'
    this.#port.abandonEdits(this.id)
    this.attach(cause)
  }

  #holdEdits(phase: 'attaching' | 'paused'): void {
    this.#phase = phase
    this.#heldEdits += this.#sentEdits
    this.#sentEdits = 0
  }

  /** @param editCount How many edits the saved messages stood for. */
  onSaved(editCount: number): void {
    this.#sentEdits -= editCount
    if (this.#phase === 'attached') this.pauseReason = null // an answer may also come late, in the next pause
    this.#handlers.onCountChange()
  }

  onRefused(editCount: number, reason: CloseReason): void {
    this.#sentEdits -= editCount
    this.#refuse(editCount, reason)
  }

  onAttached(message: AttachedMessage): void {
    if (this.#phase === 'detached') return
    // The channel is not yet attached here: an edit made in response to this update is part of what `onAttached` returns.
    const missing = this.#handlers.onAttached(message)
    this.#needsFullSync = false
    this.#phase = 'attached'
    this.#wasAttached = true
    this.pauseCount = 0
    // Whether there is room by now shows when the held edits are answered.
    if (!missing || this.pauseReason?.code !== 'full') this.pauseReason = null
    if (missing) this.#sendMissing(missing)
    this.#handlers.onLink()
    this.#handlers.onCountChange()
  }

  onDetached(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    if (reason.code === 'taken' && this.#handlers.onClientIdTaken()) return this.attach('opening')
    this.#phase = 'detached'
    this.#handlers.onDetached(reason)
  }

  /** A listener of the document may throw: the later updates are delivered all the same. */
  onChange(updates: readonly Uint8Array[]): void {
    const thrown: unknown[] = []
    for (const update of updates) {
      try {
        if (this.#phase === 'attached') this.#handlers.onChange(update)
      } catch (error) {
        thrown.push(error)
      }
    }
    if (thrown.length > 0) throw thrown[0]
  }

  onPresence(update: Uint8Array, whole: boolean): void {
    if (this.#phase === 'attached') this.#handlers.onPresence(update, whole)
  }

  onTrace(from: number, bytes: Uint8Array): void {
    if (this.#phase === 'attached') this.#handlers.onTrace(from, bytes)
  }

  onRole(role: ChannelRole): void {
    if (this.#phase === 'attached') this.#handlers.onRole(role)
  }

  onStoreState(failing: boolean): void {
    if (this.#phase !== 'detached') this.#handlers.onStoreState(failing)
  }

  onCompared(same: boolean): void {
    if (this.#phase === 'attached') this.#handlers.onCompared(same)
  }

  onLink(): void {
    this.#handlers.onLink()
  }

  onUnlinked(): void {
    this.#handlers.onUnlinked()
  }

  /** Edits go to the server as they are made, if there is a link. */
  get isAttached(): boolean {
    return this.#phase === 'attached'
  }

  /** The missing update stands for all held edits. Text that came from elsewhere counts as one edit. */
  #sendMissing(missing: Uint8Array): void {
    if (this.#heldEdits === 0) this.edits += 1
    const editCount = Math.max(1, this.#heldEdits)
    this.#heldEdits = 0
    this.#sendUpdate(missing, editCount)
  }

  #sendUpdate(update: Uint8Array, editCount: number): number | undefined {
    if (this.#refusal) return this.#refuse(editCount, this.#refusal)
    if (update.length > MAX_MESSAGE_BYTES - MAX_EDIT_HEAD_BYTES) {
      const detail = transportsStrings.details.editTooLarge(update.length, MAX_MESSAGE_BYTES)
      return this.#refuse(editCount, { code: 'too-large', detail })
    }
    this.#sentEdits += editCount
    return this.#port.send(
      (number) => ({ type: 'edit', number, channel: this.id, update }),
      this.id,
      editCount,
    )
  }

  #refuse(editCount: number, reason: CloseReason): undefined {
    this.#refusedEdits += editCount
    this.#refusal ??= reason
    this.#handlers.onRefused(this.#refusal)
  }
}
