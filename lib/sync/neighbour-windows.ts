/**
 * The windows of one browser that show the same document hear each other's edits at once, beside the way by the server (W2).
 * What one hears here it never sends: its author does, and says how much of it is saved. Of a window that is gone, or that
 * does not get its text through, the others take over what is not saved.
 *
 *   newcomer: hello ──▶ everybody: here ──▶ newcomer asks one at a time: ask ──▶ state          then: edit, counts … bye
 *
 * Knows Yjs, a broadcast channel and locks; does not know sessions or links.
 */
import * as Y from 'yjs'
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import type { LocksLike } from '../locks.ts'
import type { ChannelPart } from '../protocol/channel-messages.ts'
import { randomId } from '../protocol/ids.ts'
import type { Clock } from '../session/clock.ts'
import { applyUpdateIsolated } from './isolate-listeners.ts'
import { isDocAhead, isStateVectorAhead, encodeMissingUpdate } from './state-vector-diff.ts'
import type { NoteChannel } from './note-channel.ts'
import { type WindowLock, onWindowGone } from './window-lock.ts'

/** A neighbour that lives and whose text is not saved by then (its network, a frozen page) gets help. */
const STUCK_AFTER_MS = 10_000

export interface NeighbourPlatform {
  readonly own: WindowLock
  readonly locks: LocksLike
  channel(name: string): BroadcastChannelLike
}

export interface EditCounts {
  /** Made in that window, ever. */
  readonly edits: number
  /** The first of them, as many as the server has on its disk. */
  readonly saved: number
  /** Taken over from others and not saved. Told apart, or windows that wait for one server would take them over in turns. */
  readonly adopted: number
  /** Of what is not saved, so many are not on this device either. */
  readonly unstored: number
}

export interface NeighbourHandlers {
  counts(): EditCounts
  onCountChange(): void
  /** Before a neighbour's edit is taken in. */
  beforeRemoteEdit(): void
  /** So many edits, which are in the document already, have nobody else any more to bring them to the server. */
  onOrphanedEdits(edits: number, unstored: number): void
  /** Steps of undo. */
  readonly notes: NoteChannel
  /** About delays. */
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

type NeighbourMessage = NeighbourMessageBody & {
  readonly from: string
  /** Whose lock tells that it lives. */
  readonly window: string
  /** Without it, everybody is meant. */
  readonly to?: string
  readonly counts: EditCounts
}

interface Neighbour {
  counts: EditCounts
  savedAt: number
  stopWatching(): void
}

const noCounts: EditCounts = { edits: 0, saved: 0, adopted: 0, unstored: 0 }

export class NeighbourWindows {
  readonly #platform: NeighbourPlatform
  readonly #name: string
  readonly #doc: Y.Doc
  readonly #clock: Clock
  readonly #handlers: NeighbourHandlers
  /** A page may show a document twice, so its window's id does not tell who speaks. */
  readonly #id = randomId()
  readonly #neighbours = new Map<string, Neighbour>()
  /** Who may have what is lacking here, with the state vector it told; the first of them is being asked. */
  readonly #stateRequests = new Map<string, Uint8Array>()
  #channel: BroadcastChannelLike | null = null
  #joined = false
  #closed = false
  #sentCounts: EditCounts = noCounts
  #isCountsScheduled = false
  #cancelStuckCheck = () => {}

  constructor(
    platform: NeighbourPlatform,
    { document, part }: { document: string; part: ChannelPart },
    doc: Y.Doc,
    clock: Clock,
    handlers: NeighbourHandlers,
  ) {
    this.#platform = platform
    this.#name = `diptych:${document}:${part}`
    this.#doc = doc
    this.#clock = clock
    this.#handlers = handlers
    handlers.notes.setSender({ sendNote: (note, to) => this.#sendUnlessAlone({ type: 'note', note }, to) })
    handlers.stamps.setSender({
      sendNote: (stamp, to) => this.#sendUnlessAlone({ type: 'stamp', stamp }, to),
    })
  }

  /** Neighbours' edits that are shown here and not on the server's disk. */
  get unsaved(): number {
    return this.#sum(unsavedOf)
  }

  /** Those of them that are not on this device either. */
  get unstored(): number {
    return this.#sum(({ unstored }) => unstored)
  }

  /**
   * Only a window that may see the document; what it was not shown it must not hear of here.
   * @param principal Whose window it is: what one person has not got through, no window of another brings to the server.
   */
  join(principal: string): void {
    if (this.#joined) return
    this.#joined = true
    this.#platform.own.whenHeld.then(
      () => this.#openChannel(principal),
      () => {}, // without its lock it would be taken for gone
    )
  }

  /** Made here: in the same turn as it goes to the server. */
  broadcastEdit(update: Uint8Array, transaction: Y.Transaction): void {
    if (this.#isAlone) return
    const note = this.#handlers.notes.noteOf(transaction)
    const stamp = this.#handlers.stamps.noteOf(transaction)
    this.#send({
      type: 'edit',
      update,
      ...(note !== undefined && { note }),
      ...(stamp !== undefined && { stamp }),
    })
  }

  /** Tells once a turn how much of this window's text is saved. */
  broadcastCounts(): void {
    if (this.#isCountsScheduled || this.#isAlone) return
    this.#isCountsScheduled = true
    queueMicrotask(() => {
      this.#isCountsScheduled = false
      if (!areSameCounts(this.#handlers.counts(), this.#sentCounts)) this.#send({ type: 'counts' })
    })
  }

  close(): void {
    if (this.#closed) return
    this.#send({ type: 'bye' })
    this.#closed = true
    this.#cancelStuckCheck()
    this.#channel?.close()
    this.#channel = null
    for (const { stopWatching } of this.#neighbours.values()) stopWatching()
    this.#neighbours.clear()
  }

  #sum(countOf: (counts: EditCounts) => number): number {
    return [...this.#neighbours.values()].reduce((sum, { counts }) => sum + countOf(counts), 0)
  }

  #openChannel(principal: string): void {
    if (this.#closed) return
    this.#channel = this.#platform.channel(`${this.#name}:${principal}`)
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data as NeighbourMessage))
    this.#send({ type: 'hello', stateVector: Y.encodeStateVector(this.#doc) })
    this.#scheduleStuckCheck()
  }

  /** Nobody is there to tell. Whoever comes says hello, and is answered with what this window has by then. */
  get #isAlone(): boolean {
    return this.#neighbours.size === 0
  }

  #sendUnlessAlone(body: NeighbourMessageBody, to?: string): void {
    if (!this.#isAlone) this.#send(body, to)
  }

  #send(body: NeighbourMessageBody, to?: string): void {
    if (!this.#channel) return
    this.#sentCounts = this.#handlers.counts()
    const message: NeighbourMessage = {
      ...body,
      from: this.#id,
      window: this.#platform.own.id,
      ...(to && { to }),
      counts: this.#sentCounts,
    }
    this.#channel.postMessage(message)
  }

  #receive(message: NeighbourMessage): void {
    if (this.#closed || (message.to && message.to !== this.#id)) return
    const neighbour = this.#findOrAddNeighbour(message)
    if (message.counts.saved > neighbour.counts.saved) neighbour.savedAt = this.#clock.now()
    if (ownUnsavedOf(neighbour.counts) === 0) neighbour.savedAt = this.#clock.now()
    neighbour.counts = mergeCounts(neighbour.counts, message.counts)
    this.#handleMessage(message)
    this.#handlers.onCountChange()
  }

  #handleMessage(message: NeighbourMessage): void {
    switch (message.type) {
      case 'hello':
        this.#send({ type: 'here', stateVector: Y.encodeStateVector(this.#doc) }, message.from)
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
      case 'bye':
        return this.#onGone(message.from)
      case 'counts': // as with every message
    }
  }

  #applyUpdate(update: Uint8Array): void {
    this.#handlers.beforeRemoteEdit()
    applyUpdateIsolated(this.#doc, update, this)
  }

  #onJoined(message: Extract<NeighbourMessage, { type: 'hello' | 'here' }>): void {
    this.#queueStateRequest(message.from, message)
    this.#handlers.notes.onNeighbourJoined(message.from)
    this.#handlers.stamps.onNeighbourJoined(message.from)
  }

  #findOrAddNeighbour({ from, window }: NeighbourMessage): Neighbour {
    const existing = this.#neighbours.get(from)
    if (existing) return existing
    const stopWatching = onWindowGone(this.#platform.locks, window, () => this.#onGone(from))
    const neighbour = { counts: noCounts, savedAt: this.#clock.now(), stopWatching }
    this.#neighbours.set(from, neighbour)
    return neighbour
  }

  /** What was written before anybody answered was told to nobody. */
  #sendMissing({ from, stateVector }: Extract<NeighbourMessage, { type: 'here' }>): void {
    // What is not saved may be a deletion, which no state vector shows.
    if (isDocAhead(this.#doc, stateVector) || unsavedOf(this.#handlers.counts()) > 0)
      this.#send({ type: 'state', update: encodeMissingUpdate(stateVector, this.#doc) }, from)
  }

  // Asking, one neighbour after the other: most have the same

  #queueStateRequest(
    from: string,
    { counts, stateVector }: { counts: EditCounts; stateVector: Uint8Array },
  ): void {
    // What is not saved may be a deletion, which no state vector shows.
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

  // Taking over

  #onGone(from: string): void {
    const neighbour = this.#neighbours.get(from)
    if (!neighbour) return
    neighbour.stopWatching()
    this.#neighbours.delete(from)
    this.#requestNextState(from)
    this.#handlers.notes.onNeighbourGone(from)
    this.#handlers.stamps.onNeighbourGone(from)
    const { counts } = neighbour
    if (unsavedOf(counts) > 0) this.#handlers.onOrphanedEdits(unsavedOf(counts), counts.unstored)
    this.#handlers.onCountChange()
  }

  /** What it made itself: what it took over from another, that other's neighbours have taken over, too. */
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

/** Messages come in order, but what was taken over stays taken over. */
const mergeCounts = (former: EditCounts, received: EditCounts): EditCounts => ({
  ...received,
  edits: Math.max(former.edits, received.edits),
  saved: Math.max(former.saved, received.saved),
})
