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
import type { AttachCause, Attached, ChannelPart, ChannelRole } from '../protocol/channel.ts'
import type { CloseReason } from '../protocol/close.ts'
import { MAX_MESSAGE_BYTES } from '../protocol/limits.ts'
import type { ClientMessage } from '../protocol/message.ts'
import { strings } from '../strings/transports.ts'

/** What a message holds beside its update: four numbers. */
const HEAD_BYTES = 64

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
  client(): number
  /** That id is somebody else's. False: no other can be taken, since edits are written under it. */
  onTaken(): boolean
  /** Take in the server's updates. Returns what the server lacks, null for nothing. */
  onAttached(message: Pick<Attached, 'role' | 'updates' | 'stateVector'>): Uint8Array | null
  onChange(update: Uint8Array): void
  /** @param whole These are all who are here. */
  onPresence(update: Uint8Array, whole: boolean): void
  /** What another window told about delays. @param from By its presence. */
  onTrace(from: number, bytes: Uint8Array): void
  onRole(role: ChannelRole): void
  /** The server's store does not take edits for now, or does again (D3). */
  onStore(failing: boolean): void
  /** Whether the server holds what a `digest` told of (D7). */
  onCompared(same: boolean): void
  /** This edit will never be stored; the text on screen differs from the server's until the page is loaded again. */
  onRefused(reason: CloseReason): void
  onDetached(reason: CloseReason): void
  /** A link or the attachment came up: say again what carries no number. */
  onLink(): void
  onCount(): void
}

/** What a channel asks of its session. */
export interface ChannelPort {
  /** Returns the number. */
  say(make: (number: number) => ClientMessage, channel: number, weight: number): number
  sayOnce(message: ClientMessage): void
  /** Edits of this channel that are still on the line stand for nothing any more: their text goes by state vectors. */
  disown(channel: number): void
  /** A session began, or begins with what is said next. */
  readonly hasBegun: boolean
}

type Phase = 'waiting' | 'attaching' | 'attached' | 'paused' | 'detached'

export class ClientChannel {
  readonly id: number
  readonly #request: ChannelRequest
  readonly #handlers: ChannelHandlers
  readonly #port: ChannelPort
  #phase: Phase = 'waiting'
  /** Edits that only the document holds: made while not attached, or said in a session that was lost. */
  #held = 0
  #saying = 0
  #refused = 0
  #refusal: CloseReason | null = null
  #wasAttached = false
  #doubtful = false
  /** Edits made, ever. Those that are saved are the first of them. */
  edits = 0
  /** How often in a row the server put it out. */
  pauses = 0
  /** Why the server put the channel out; null once it is attached again. */
  pausedFor: CloseReason | null = null

  constructor(id: number, request: ChannelRequest, handlers: ChannelHandlers, port: ChannelPort) {
    this.id = id
    this.#request = request
    this.#handlers = handlers
    this.#port = port
  }

  /** Edits not acknowledged as committed. */
  get unsaved(): number {
    return this.#held + this.#saying + this.#refused
  }

  /** Whether the server may lack what no state vector shows. */
  get holdsEdits(): boolean {
    return this.#held > 0
  }

  /** Whether the server is to be told everything, though nothing is held: the two texts differ, and nobody knows why. */
  get isDoubtful(): boolean {
    return this.#doubtful
  }

  /** What this side has of its own is there: from here on the server is asked for the rest. */
  ready(): void {
    if (this.#phase !== 'waiting') return
    this.#phase = 'attaching'
    if (this.#port.hasBegun) this.attach()
  }

  /** Returns the message's number where it could be said. */
  edit(update: Uint8Array): number | undefined {
    this.edits += 1
    const number = this.#phase === 'attached' ? this.#say(update, 1) : undefined
    if (this.#phase !== 'attached') this.#held += 1
    this.#handlers.onCount()
    return number
  }

  presence(update: Uint8Array): void {
    if (this.#phase === 'attached')
      this.#port.sayOnce({ type: 'presence', channel: this.id, whole: false, update })
  }

  /** @param cursor As JSON, of a state that was said on this link. */
  caret(cursor: string): void {
    if (this.#phase === 'attached') this.#port.sayOnce({ type: 'caret', channel: this.id, cursor })
  }

  /** @param to A window by its presence, 0 for all others. */
  trace(to: number, bytes: Uint8Array): void {
    if (this.#phase === 'attached') this.#port.sayOnce({ type: 'trace', channel: this.id, client: to, bytes })
  }

  digest(digest: Uint8Array): void {
    if (this.#phase === 'attached') this.#port.sayOnce({ type: 'digest', channel: this.id, digest })
  }

  detach(): void {
    if (this.#phase === 'detached') return
    const wasReady = this.#phase !== 'waiting'
    this.#phase = 'detached'
    if (!wasReady) return
    this.#port.say((number) => ({ type: 'detach', number, channel: this.id }), this.id, 0)
  }

  /** Edits of another window, which the document holds already and nobody else brings to the server. */
  adopt(edits: number): void {
    this.edits += edits
    this.#held += edits
    this.heal('neighbour')
    this.#handlers.onCount()
  }

  // What follows is the session's side.

  /** The server put this channel out for now; edits are held until it is attached again. */
  pause(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    this.pauses += 1
    this.pausedFor = reason
    this.#hold('paused')
    this.#handlers.onCount()
  }

  /** The end of a pause, unless something else ended it. */
  resume(): void {
    if (this.#phase === 'paused') this.attach()
  }

  attach(cause: AttachCause = this.#wasAttached ? 'session' : 'opening'): void {
    if (this.#phase === 'detached' || this.#phase === 'waiting') return
    this.#hold('attaching')
    const stateVector = this.#handlers.stateVector()
    const client = this.#handlers.client()
    this.#port.say(
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
  heal(cause: AttachCause): void {
    if (this.#phase !== 'attached') return
    this.#doubtful ||= cause === 'digest' || cause === 'pending'
    this.#port.disown(this.id)
    this.attach(cause)
  }

  #hold(phase: 'attaching' | 'paused'): void {
    this.#phase = phase
    this.#held += this.#saying
    this.#saying = 0
  }

  /** @param weight How many edits the acknowledged messages stood for. */
  saved(weight: number): void {
    this.#saying -= weight
    this.#handlers.onCount()
  }

  refused(weight: number, reason: CloseReason): void {
    this.#saying -= weight
    this.#refuse(weight, reason)
  }

  onAttached(message: Attached): void {
    if (this.#phase === 'detached') return
    // Still not attached: an edit that somebody makes in answer to this update is part of what comes back.
    const missing = this.#handlers.onAttached(message)
    this.#doubtful = false
    this.#phase = 'attached'
    this.#wasAttached = true
    this.pauses = 0
    this.pausedFor = null
    if (missing) this.#resync(missing)
    this.#handlers.onLink()
    this.#handlers.onCount()
  }

  onDetached(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    if (reason.code === 'taken' && this.#handlers.onTaken()) return this.attach('opening')
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

  onStore(failing: boolean): void {
    if (this.#phase !== 'detached') this.#handlers.onStore(failing)
  }

  onCompared(same: boolean): void {
    if (this.#phase === 'attached') this.#handlers.onCompared(same)
  }

  onLink(): void {
    this.#handlers.onLink()
  }

  /** What the server lacks stands for all the edits that were held. Text that came from elsewhere counts as one. */
  #resync(missing: Uint8Array): void {
    if (this.#held === 0) this.edits += 1
    const weight = Math.max(1, this.#held)
    this.#held = 0
    this.#say(missing, weight)
  }

  #say(update: Uint8Array, weight: number): number | undefined {
    if (this.#refusal) return this.#refuse(weight, this.#refusal)
    if (update.length > MAX_MESSAGE_BYTES - HEAD_BYTES) {
      const detail = strings.details.editTooLarge(update.length, MAX_MESSAGE_BYTES)
      return this.#refuse(weight, { code: 'too-large', detail })
    }
    this.#saying += weight
    return this.#port.say((number) => ({ type: 'edit', number, channel: this.id, update }), this.id, weight)
  }

  #refuse(weight: number, reason: CloseReason): undefined {
    this.#refused += weight
    this.#refusal ??= reason
    this.#handlers.onRefused(this.#refusal)
  }
}
