/**
 * One document part inside a session, as its client sees it.
 *
 *   attaching ──attached──▶ attached ──detached──▶ detached
 *       ▲                      │
 *       └── the session was lost, or the server asks to come again: state vectors are exchanged (S3)
 *
 * Counts what is not saved; does not know Yjs: an update is bytes.
 */
import type { Attached, ChannelPart, ChannelRole } from '../protocol/channel.ts'
import type { CloseReason } from '../protocol/close.ts'
import type { ClientMessage } from '../protocol/message.ts'

export interface ChannelRequest {
  readonly document: string
  readonly part: ChannelPart
  /** A link's token, '' for none. */
  readonly token: string
}

export interface ChannelHandlers {
  /** What this side has, at the moment of asking. */
  stateVector(): Uint8Array
  /** Take in the server's update, then call `resync` with what the server lacks, if anything. */
  onAttached(message: Pick<Attached, 'role' | 'update' | 'stateVector'>): void
  onChange(update: Uint8Array): void
  /** @param whole These are all who are here. */
  onPresence(update: Uint8Array, whole: boolean): void
  onRole(role: ChannelRole): void
  /** This edit will never be stored; the text on screen differs from the server's until the page is loaded again. */
  onRefused(reason: CloseReason): void
  onDetached(reason: CloseReason): void
  /** A link came up: say again what carries no number. */
  onLink(): void
  onCount(): void
}

/** What a channel asks of its session. */
export interface ChannelPort {
  say(make: (number: number) => ClientMessage, channel: number, weight: number): void
  sayOnce(message: ClientMessage): void
}

type Phase = 'attaching' | 'attached' | 'detached'

export class ClientChannel {
  readonly id: number
  readonly #request: ChannelRequest
  readonly #handlers: ChannelHandlers
  readonly #port: ChannelPort
  #phase: Phase = 'attaching'
  /** Edits that only the document holds: made while not attached, or said in a session that was lost. */
  #held = 0
  #saying = 0
  #refused = 0
  /** How often in a row the server put it out. */
  pauses = 0

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

  edit(update: Uint8Array): void {
    if (this.#phase === 'attached') this.#say(update, 1)
    else this.#held += 1
    this.#handlers.onCount()
  }

  /** What the server lacks, as the answer to `onAttached`: stands for all the edits that were held. */
  resync(update: Uint8Array): void {
    this.#say(update, Math.max(1, this.#held))
    this.#held = 0
    this.#handlers.onCount()
  }

  get holdsEdits(): boolean {
    return this.#held > 0
  }

  presence(update: Uint8Array): void {
    if (this.#phase === 'attached')
      this.#port.sayOnce({ type: 'presence', channel: this.id, whole: false, update })
  }

  detach(): void {
    if (this.#phase === 'detached') return
    this.#phase = 'detached'
    this.#port.say((number) => ({ type: 'detach', number, channel: this.id }), this.id, 0)
  }

  // What follows is the session's side.

  /** The server put this channel out for now; edits are held until it is attached again. */
  pause(): void {
    if (this.#phase === 'detached') return
    this.pauses += 1
    this.#hold()
  }

  attach(): void {
    if (this.#phase === 'detached') return
    this.#hold()
    const stateVector = this.#handlers.stateVector()
    this.#port.say(
      (number) => ({ type: 'attach', number, channel: this.id, ...this.#request, stateVector }),
      this.id,
      0,
    )
  }

  #hold(): void {
    this.#phase = 'attaching'
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
    this.#refused += weight
    this.#handlers.onRefused(reason)
  }

  onAttached(message: Attached): void {
    if (this.#phase === 'detached') return
    this.#phase = 'attached'
    this.pauses = 0
    this.#handlers.onAttached(message)
  }

  onDetached(reason: CloseReason): void {
    if (this.#phase === 'detached') return
    this.#phase = 'detached'
    this.#handlers.onDetached(reason)
  }

  onChange(update: Uint8Array): void {
    if (this.#phase === 'attached') this.#handlers.onChange(update)
  }

  onPresence(update: Uint8Array, whole: boolean): void {
    if (this.#phase === 'attached') this.#handlers.onPresence(update, whole)
  }

  onRole(role: ChannelRole): void {
    this.#handlers.onRole(role)
  }

  onLink(): void {
    this.#handlers.onLink()
  }

  #say(update: Uint8Array, weight: number): void {
    this.#saying += weight
    this.#port.say((number) => ({ type: 'edit', number, channel: this.id, update }), this.id, weight)
  }
}
