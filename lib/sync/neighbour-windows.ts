/**
 * Exchanges edits at once between the windows of one browser that show the same document, beside the server's path (W2). A window never
 * sends on a neighbour's edit: its author does, and reports how much of it is saved. When a window is gone, or does not get its text
 * through, the others take over what is not saved.
 *
 *   newcomer: hello ──▶ everybody: here ──▶ newcomer asks one at a time: ask ──▶ state          then: edit, counts … bye
 *
 * Knows Yjs and the group of these windows; does not know sessions or links.
 */
import * as Y from 'yjs'
import type { ChannelPart } from '../protocol/channel-messages.ts'
import { PROTOCOL_VERSION, SCHEMA_VERSION } from '../protocol/limits.ts'
import type { Clock } from '../session/clock.ts'
import { applyUpdateIsolated } from './isolate-listeners.ts'
import { isDocAhead, isStateVectorAhead, encodeMissingUpdate } from './state-vector-diff.ts'
import type { NoteChannel } from './note-channel.ts'
import { type GroupMessage, WindowGroup, type WindowPlatform } from '../window-group/window-group.ts'

/** A neighbour that lives but whose text is still unsaved after this time gets help: its network is down, or its page is frozen. */
const STUCK_AFTER_MS = 10_000

export interface EditCounts {
  /** All edits ever made in that window. */
  readonly edits: number
  /** How many of them the server has on its disk; they are always the first ones. */
  readonly saved: number
  /**
   * Edits taken over from other windows and not saved. They count apart, or windows that wait for one server would take them over from
   * each other in turns.
   */
  readonly adopted: number
  /** How many unsaved edits are not on this device either. */
  readonly unstored: number
}

export interface NeighbourHandlers {
  counts(): EditCounts
  onCountChange(): void
  /** Called before a neighbour's edit is applied. */
  beforeRemoteEdit(): void
  /** Nobody else can bring these edits to the server any more. They are in the document already. */
  onOrphanedEdits(edits: number, unstored: number): void
  /** Carries undo steps. */
  readonly notes: NoteChannel
  /** Carries stamps about delays. */
  readonly stamps: NoteChannel
}

type NeighbourMessageBody =
  | { readonly type: 'hello'; readonly stateVector: Uint8Array }
  | { readonly type: 'here'; readonly stateVector: Uint8Array }
  | { readonly type: 'ask'; readonly stateVector: Uint8Array }
  | { readonly type: 'state'; readonly update: Uint8Array }
  | { readonly type: 'edit'; readonly update: Uint8Array; readonly note?: unknown; readonly stamp?: unknown }
  | { readonly type: 'note'; readonly note: unknown }
  | { readonly type: 'stamp'; readonly stamp: unknown }
  | { readonly type: 'counts' | 'bye' }

type NeighbourMessage = NeighbourMessageBody & { readonly counts: EditCounts }

type ReceivedMessage = GroupMessage<NeighbourMessage>

interface Neighbour {
  counts: EditCounts
  savedAt: number
}

const noCounts: EditCounts = { edits: 0, saved: 0, adopted: 0, unstored: 0 }

interface NeighbourGroup {
  readonly document: string
  readonly part: ChannelPart
  /** A page of another release is no neighbour: it writes by other rules, and its text comes by the server. */
  readonly version?: string
}

const pageVersion = `${PROTOCOL_VERSION}.${SCHEMA_VERSION}`

export class NeighbourWindows {
  readonly #name: string
  readonly #doc: Y.Doc
  readonly #clock: Clock
  readonly #handlers: NeighbourHandlers
  /** A page may show a document twice: each joins by itself. */
  readonly #group: WindowGroup<NeighbourMessage>
  readonly #neighbours = new Map<string, Neighbour>()
  /** The neighbours that may have what is missing here, with their state vectors; the first of them is being asked. */
  readonly #stateRequests = new Map<string, Uint8Array>()
  #joined = false
  #closed = false
  #sentCounts: EditCounts = noCounts
  #isCountsScheduled = false
  #cancelStuckCheck = () => {}

  constructor(
    platform: WindowPlatform,
    { document, part, version = pageVersion }: NeighbourGroup,
    doc: Y.Doc,
    clock: Clock,
    handlers: NeighbourHandlers,
  ) {
    this.#name = `diptych:${document}:${part}:${version}`
    this.#doc = doc
    this.#clock = clock
    this.#handlers = handlers
    this.#group = new WindowGroup<NeighbourMessage>(platform, {
      greet: (type) => this.#withCounts({ type, stateVector: Y.encodeStateVector(doc) }),
      onMessage: (message) => this.#receive(message),
      onGone: (neighbour) => this.#onGone(neighbour),
    })
    handlers.notes.setSender({ sendNote: (note, to) => this.#sendUnlessAlone({ type: 'note', note }, to) })
    handlers.stamps.setSender({
      sendNote: (stamp, to) => this.#sendUnlessAlone({ type: 'stamp', stamp }, to),
    })
  }

  /** Neighbours' edits that are shown here and are not on the server's disk. */
  get unsaved(): number {
    return this.#sum(unsavedOf)
  }

  /** How many of those are not on this device either. */
  get unstored(): number {
    return this.#sum(({ unstored }) => unstored)
  }

  /**
   * Only a window that may see the document joins: it must not receive here what the server would not show it.
   * @param principal Whose window it is: unsaved edits of one person are never sent by another person's window.
   */
  join(principal: string): void {
    if (this.#joined || this.#closed) return
    this.#joined = true
    this.#group.join(`${this.#name}:${principal}`)
    this.#scheduleStuckCheck()
  }

  /** Sends an edit made here to the neighbours in the same turn as to the server. */
  broadcastEdit(update: Uint8Array, transaction: Y.Transaction): void {
    if (this.#group.isAlone) return
    const note = this.#handlers.notes.noteOf(transaction)
    const stamp = this.#handlers.stamps.noteOf(transaction)
    this.#send({
      type: 'edit',
      update,
      ...(note !== undefined && { note }),
      ...(stamp !== undefined && { stamp }),
    })
  }

  /** Reports once a turn how much of this window's text is saved. */
  broadcastCounts(): void {
    if (this.#isCountsScheduled || this.#group.isAlone) return
    this.#isCountsScheduled = true
    queueMicrotask(() => {
      this.#isCountsScheduled = false
      if (!areSameCounts(this.#handlers.counts(), this.#sentCounts)) this.#send({ type: 'counts' })
    })
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#group.leave(this.#withCounts({ type: 'bye' }))
    this.#cancelStuckCheck()
    for (const neighbour of this.#neighbours.keys()) {
      this.#handlers.notes.onNeighbourGone(neighbour)
      this.#handlers.stamps.onNeighbourGone(neighbour)
    }
    this.#neighbours.clear()
  }

  #sum(countOf: (counts: EditCounts) => number): number {
    return [...this.#neighbours.values()].reduce((sum, { counts }) => sum + countOf(counts), 0)
  }

  #sendUnlessAlone(body: NeighbourMessageBody, to?: string): void {
    if (!this.#group.isAlone) this.#send(body, to)
  }

  #send(body: NeighbourMessageBody, to?: string): void {
    this.#group.post(this.#withCounts(body), to)
  }

  /** Every message carries the counts of its sender. */
  #withCounts(body: NeighbourMessageBody): NeighbourMessage {
    this.#sentCounts = this.#handlers.counts()
    return { ...body, counts: this.#sentCounts }
  }

  #receive(message: ReceivedMessage): void {
    const neighbour = this.#findOrAddNeighbour(message.from)
    if (message.counts.saved > neighbour.counts.saved) neighbour.savedAt = this.#clock.now()
    if (ownUnsavedOf(neighbour.counts) === 0) neighbour.savedAt = this.#clock.now()
    neighbour.counts = mergeCounts(neighbour.counts, message.counts)
    this.#handleMessage(message)
    this.#handlers.onCountChange()
  }

  #handleMessage(message: ReceivedMessage): void {
    switch (message.type) {
      case 'hello':
        return this.#onJoined(message)
      case 'here':
        this.#sendMissing(message)
        return this.#onJoined(message)
      case 'ask':
        return this.#send(
          { type: 'state', update: encodeMissingUpdate(message.stateVector, this.#doc) },
          message.from,
        )
      case 'state':
        this.#applyUpdate(message.update)
        return this.#requestNextState(message.from)
      case 'edit':
        this.#applyUpdate(message.update)
        this.#handlers.stamps.receiveNote(message.stamp, message.from)
        return this.#handlers.notes.receiveNote(message.note, message.from)
      case 'stamp':
        return this.#handlers.stamps.receiveNote(message.stamp, message.from)
      case 'note':
        return this.#handlers.notes.receiveNote(message.note, message.from)
      case 'counts':
      case 'bye': // the counts are read from every message
    }
  }

  #applyUpdate(update: Uint8Array): void {
    this.#handlers.beforeRemoteEdit()
    applyUpdateIsolated(this.#doc, update, this)
  }

  #onJoined(message: Extract<ReceivedMessage, { type: 'hello' | 'here' }>): void {
    this.#queueStateRequest(message.from, message)
    this.#handlers.notes.onNeighbourJoined(message.from)
    this.#handlers.stamps.onNeighbourJoined(message.from)
  }

  #findOrAddNeighbour(from: string): Neighbour {
    const existing = this.#neighbours.get(from)
    if (existing) return existing
    const neighbour = { counts: noCounts, savedAt: this.#clock.now() }
    this.#neighbours.set(from, neighbour)
    return neighbour
  }

  /** What was written before anybody answered was sent to nobody. */
  #sendMissing({ from, stateVector }: Extract<ReceivedMessage, { type: 'here' }>): void {
    // An unsaved edit may be a deletion, which no state vector shows.
    if (isDocAhead(this.#doc, stateVector) || unsavedOf(this.#handlers.counts()) > 0)
      this.#send({ type: 'state', update: encodeMissingUpdate(stateVector, this.#doc) }, from)
  }

  // Asks one neighbour after the other, because most have the same text.

  #queueStateRequest(
    from: string,
    { counts, stateVector }: { counts: EditCounts; stateVector: Uint8Array },
  ): void {
    // An unsaved edit may be a deletion, which no state vector shows.
    if (!isStateVectorAhead(stateVector, this.#doc) && unsavedOf(counts) === 0) return
    this.#stateRequests.set(from, stateVector)
    if (this.#stateRequests.size === 1) this.#requestState(from)
  }

  #requestState(to: string): void {
    this.#send({ type: 'ask', stateVector: Y.encodeStateVector(this.#doc) }, to)
  }

  #requestNextState(answered: string): void {
    const wasRequested = this.#stateRequests.keys().next().value === answered
    this.#stateRequests.delete(answered)
    for (const [from, stateVector] of this.#stateRequests) {
      const counts = this.#neighbours.get(from)?.counts ?? noCounts
      if (isStateVectorAhead(stateVector, this.#doc) || unsavedOf(counts) > 0) {
        if (wasRequested) this.#requestState(from)
        return
      }
      this.#stateRequests.delete(from)
    }
  }

  // Takeover

  #onGone(from: string): void {
    const neighbour = this.#neighbours.get(from)
    if (!neighbour) return
    this.#neighbours.delete(from)
    this.#requestNextState(from)
    this.#handlers.notes.onNeighbourGone(from)
    this.#handlers.stamps.onNeighbourGone(from)
    const { counts } = neighbour
    if (unsavedOf(counts) > 0) this.#handlers.onOrphanedEdits(unsavedOf(counts), counts.unstored)
    this.#handlers.onCountChange()
  }

  /** Takes over only what that window made itself: what it took over from another has been taken over by that one's neighbours, too. */
  #adoptStuckEdits(neighbour: Neighbour): void {
    const { counts } = neighbour
    neighbour.counts = { ...counts, saved: counts.edits }
    this.#handlers.onOrphanedEdits(ownUnsavedOf(counts), 0)
  }

  #scheduleStuckCheck(): void {
    this.#cancelStuckCheck = this.#clock.after(STUCK_AFTER_MS / 2, () => {
      const since = this.#clock.now() - STUCK_AFTER_MS
      for (const neighbour of this.#neighbours.values()) {
        if (ownUnsavedOf(neighbour.counts) > 0 && neighbour.savedAt < since) this.#adoptStuckEdits(neighbour)
      }
      this.#scheduleStuckCheck()
    })
  }
}

const ownUnsavedOf = ({ edits, saved }: EditCounts): number => Math.max(0, edits - saved)

const unsavedOf = (counts: EditCounts): number => ownUnsavedOf(counts) + counts.adopted

const areSameCounts = (a: EditCounts, b: EditCounts): boolean =>
  a.edits === b.edits && a.saved === b.saved && a.adopted === b.adopted && a.unstored === b.unstored

/** Messages come in order, but edits that were taken over must stay counted as saved. */
const mergeCounts = (former: EditCounts, received: EditCounts): EditCounts => ({
  ...received,
  edits: Math.max(former.edits, received.edits),
  saved: Math.max(former.saved, received.saved),
})
