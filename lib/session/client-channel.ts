/**
 * One document part inside a session, as its client sees it.
 *
 *     ready, and in a session
 *     ▼
 *   attaching ──attached──▶ attached ──detached──▶ detached
 *     ▲   ▲                  │    │ detached, to come again
 *     │   └─ session lost, ──┘    ▼
 *     │      to be healed       paused
 *     └────────── due ───────────┘
 *
 * Whenever it is attached anew, state vectors are exchanged (S3). After a refusal nothing more is sent: every later edit
 * builds on one that the server does not have. Counts what is not saved; does not know Yjs: an update is bytes.
 */
import type { AttachCause, AttachedMessage, ChannelPart, ChannelRole } from '../protocol/channel-messages.ts'
import type { CloseReason } from '../protocol/close.ts'
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts'
import type { ClientMessage } from '../protocol/message.ts'
import { strings } from '../strings/transports.ts'

/** What a message holds beside its update: four numbers. */
const MAX_EDIT_HEAD_BYTES = 64

export interface ChannelRequest {
  readonly document: string
  readonly part: ChannelPart
  /** A link's token, '' for none. */
  readonly token: string
}

export interface ChannelHandlers {
  /** What this side has, at the moment of asking. */
  stateVector(): Uint8Array
  /** The Yjs client id that edits are written under. */
  clientId(): number
  /** That id is somebody else's. False: no other can be taken, since edits are written under it. */
  onClientIdTaken(): boolean
  /** Take in the server's updates. Returns what the server lacks, null for nothing. */
  onAttached(message: Pick<AttachedMessage, 'role' | 'updates' | 'stateVector'>): Uint8Array | null
  onChange(update: Uint8Array): void
  /** @param whole These are all who are here. */
  onPresence(update: Uint8Array, whole: boolean): void
  /** What another window told about delays. @param from By its presence. */
  onTrace(from: number, bytes: Uint8Array): void
  onRole(role: ChannelRole): void
  /** The server's store does not take edits for now, or does again (D3). */
  onStoreState(failing: boolean): void
  /** Whether the server holds what a `digest` told of (D7). */
  onCompared(same: boolean): void
  /** This edit will never be stored; the text on screen differs from the server's until the page is loaded again. */
  onRefused(reason: CloseReason): void
  onDetached(reason: CloseReason): void
  /** A link or the attachment came up: say again what carries no number. */
  onLink(): void
  onCountChange(): void
}

/** What a channel asks of its session. */
export interface ClientChannelPort {
  /** Returns the number. */
  send(make: (number: number) => ClientMessage, channel: number, editCount: number): number
  sendUnnumbered(message: ClientMessage): void
  /** Edits of this channel that are still on the line stand for nothing any more: their text goes by state vectors. */
  abandonEdits(channel: number): void
  /** A session began, or begins with what is said next. */
  readonly hasBegun: boolean
}

type Phase = 'waiting' | 'attaching' | 'attached' | 'paused' | 'detached'

export class ClientChannel {
  readonly id: number
  readonly #request: ChannelRequest
  readonly #handlers: ChannelHandlers
  readonly #port: ClientChannelPort
  #phase: Phase = 'waiting'
  /** Edits that only the document holds: made while not attached, or said in a session that was lost. */
  #heldEdits = 0
  #sentEdits = 0
  #refusedEdits = 0
  #refusal: CloseReason | null = null
  #wasAttached = false
  #needsFullSync = false
  /** Edits made, ever. Those that are saved are the first of them. */
  edits = 0
  /** How often in a row the server put it out. */
  pauseCount = 0
  /** Why the server put the channel out; null once it is attached again. */
  pauseReason: CloseReason | null = null

  constructor(id: number, request: ChannelRequest, handlers: ChannelHandlers, port: ClientChannelPort) {
    this.id = id
    this.#request = request
    this.#handlers = handlers
    this.#port = port
  }

  /** Edits not acknowledged as committed. */
  get unsaved(): number {
    return this.#heldEdits + this.#sentEdits + this.#refusedEdits
  }

  /** Whether the server may lack what no state vector shows. */
  get holdsEdits(): boolean {
    return this.#heldEdits > 0
  }

  /** Whether the server is to be told everything, though nothing is held: the two texts differ, and nobody knows why. */
  get needsFullSync(): boolean {
    return this.#needsFullSync
  }

  /** What this side has of its own is there: from here on the server is asked for the rest. */
  markReady(): void {
    if (this.#phase !== 'waiting') return
    this.#phase = 'attaching'
    if (this.#port.hasBegun) this.attach()
  }

  /** Returns the message's number where it could be said. */
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

  /** @param cursor As JSON, of a state that was said on this link. */
  sendCaret(cursor: string): void {
    if (this.#phase === 'attached') this.#port.sendUnnumbered({ type: 'caret', channel: this.id, cursor })
  }

  /** @param to A window by its presence, 0 for all others. */
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

  /** Edits of another window, which the document holds already and nobody else brings to the server. */
  adoptEdits(edits: number): void {
    this.edits += edits
    this.#heldEdits += edits
    this.reattach('neighbour')
    this.#handlers.onCountChange()
  }

  // What follows is the session's side.

  /** The server put this channel out for now; edits are held until it is attached again. */
  pause(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    this.pauseCount += 1
    this.pauseReason = reason
    this.#holdEdits('paused')
    this.#handlers.onCountChange()
  }

  /** The end of a pause, unless something else ended it. */
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

  /** The two texts are compared once more: what either side lacks, it is sent. Where that is under way already, nothing happens. */
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

  /** @param editCount How many edits the acknowledged messages stood for. */
  onSaved(editCount: number): void {
    this.#sentEdits -= editCount
    this.#handlers.onCountChange()
  }

  onRefused(editCount: number, reason: CloseReason): void {
    this.#sentEdits -= editCount
    this.#refuse(editCount, reason)
  }

  onAttached(message: AttachedMessage): void {
    if (this.#phase === 'detached') return
    // Still not attached: an edit that somebody makes in answer to this update is part of what comes back.
    const missing = this.#handlers.onAttached(message)
    this.#needsFullSync = false
    this.#phase = 'attached'
    this.#wasAttached = true
    this.pauseCount = 0
    this.pauseReason = null
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

  /** A listener of the document may throw; the updates behind it are heard all the same. */
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

  /** What the server lacks stands for all the edits that were held. Text that came from elsewhere counts as one. */
  #sendMissing(missing: Uint8Array): void {
    if (this.#heldEdits === 0) this.edits += 1
    const editCount = Math.max(1, this.#heldEdits)
    this.#heldEdits = 0
    this.#sendUpdate(missing, editCount)
  }

  #sendUpdate(update: Uint8Array, editCount: number): number | undefined {
    if (this.#refusal) return this.#refuse(editCount, this.#refusal)
    if (update.length > MAX_MESSAGE_BYTES - MAX_EDIT_HEAD_BYTES) {
      const detail = strings.details.editTooLarge(update.length, MAX_MESSAGE_BYTES)
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
