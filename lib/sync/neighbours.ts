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
import type { ChannelLike } from '../broadcast.ts'
import type { LocksLike } from '../locks.ts'
import type { ChannelPart } from '../protocol/channel.ts'
import { randomId } from '../protocol/ids.ts'
import type { Clock } from '../session/clock.ts'
import { applyContained } from './contain.ts'
import { hasMore, knowsMore, missingIn } from './missing.ts'
import type { Notes } from './notes.ts'
import { type OwnWindow, whenGone } from './window-id.ts'

/** A neighbour that lives and whose text is not saved by then (its network, a frozen page) gets help. */
const STUCK_MS = 10_000

export interface NeighbourPowers {
  readonly own: OwnWindow
  readonly locks: LocksLike
  channel(name: string): ChannelLike
}

export interface Counts {
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
  counts(): Counts
  onCount(): void
  /** Before a neighbour's edit is taken in. */
  beforeEdit(): void
  /** So many edits, which are in the document already, have nobody else any more to bring them to the server. */
  onOrphans(edits: number, unstored: number): void
  /** Steps of undo. */
  readonly notes: Notes
  /** About delays. */
  readonly stamps: Notes
}

type What =
  | { readonly type: 'hello'; readonly stateVector: Uint8Array }
  | { readonly type: 'here'; readonly stateVector: Uint8Array }
  | { readonly type: 'ask'; readonly stateVector: Uint8Array }
  | { readonly type: 'state'; readonly update: Uint8Array }
  | { readonly type: 'edit'; readonly update: Uint8Array; readonly note?: unknown; readonly stamp?: unknown }
  | { readonly type: 'note'; readonly note: unknown }
  | { readonly type: 'stamp'; readonly stamp: unknown }
  | { readonly type: 'counts' | 'bye' }

type Said = What & {
  readonly from: string
  /** Whose lock tells that it lives. */
  readonly window: string
  /** Without it, everybody is meant. */
  readonly to?: string
  readonly counts: Counts
}

interface Neighbour {
  counts: Counts
  savedAt: number
  stopWatching(): void
}

const none: Counts = { edits: 0, saved: 0, adopted: 0, unstored: 0 }

export class Neighbours {
  readonly #powers: NeighbourPowers
  readonly #name: string
  readonly #doc: Y.Doc
  readonly #clock: Clock
  readonly #handlers: NeighbourHandlers
  /** A page may show a document twice, so its window's id does not tell who speaks. */
  readonly #id = randomId()
  readonly #neighbours = new Map<string, Neighbour>()
  /** Who may have what is lacking here, with the state vector it told; the first of them is being asked. */
  readonly #toAsk = new Map<string, Uint8Array>()
  #channel: ChannelLike | null = null
  #joined = false
  #closed = false
  #told: Counts = none
  #telling = false
  #cancelLook = () => {}

  constructor(
    powers: NeighbourPowers,
    { document, part }: { document: string; part: ChannelPart },
    doc: Y.Doc,
    clock: Clock,
    handlers: NeighbourHandlers,
  ) {
    this.#powers = powers
    this.#name = `diptych:${document}:${part}`
    this.#doc = doc
    this.#clock = clock
    this.#handlers = handlers
    handlers.notes.carriedBy({ tell: (note, to) => this.#tell({ type: 'note', note }, to) })
    handlers.stamps.carriedBy({ tell: (stamp, to) => this.#tell({ type: 'stamp', stamp }, to) })
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
    this.#powers.own.held.then(
      () => this.#enter(principal),
      () => {}, // without its lock it would be taken for gone
    )
  }

  /** Made here: in the same turn as it goes to the server. */
  edited(update: Uint8Array, transaction: Y.Transaction): void {
    if (this.#isAlone) return
    const note = this.#handlers.notes.noteOf(transaction)
    const stamp = this.#handlers.stamps.noteOf(transaction)
    this.#post({
      type: 'edit',
      update,
      ...(note !== undefined && { note }),
      ...(stamp !== undefined && { stamp }),
    })
  }

  /** Tells once a turn how much of this window's text is saved. */
  counted(): void {
    if (this.#telling || this.#isAlone) return
    this.#telling = true
    queueMicrotask(() => {
      this.#telling = false
      if (!isSame(this.#handlers.counts(), this.#told)) this.#post({ type: 'counts' })
    })
  }

  close(): void {
    if (this.#closed) return
    this.#post({ type: 'bye' })
    this.#closed = true
    this.#cancelLook()
    this.#channel?.close()
    this.#channel = null
    for (const { stopWatching } of this.#neighbours.values()) stopWatching()
    this.#neighbours.clear()
  }

  #sum(of: (counts: Counts) => number): number {
    return [...this.#neighbours.values()].reduce((sum, { counts }) => sum + of(counts), 0)
  }

  #enter(principal: string): void {
    if (this.#closed) return
    this.#channel = this.#powers.channel(`${this.#name}:${principal}`)
    this.#channel.addEventListener('message', ({ data }) => this.#hear(data as Said))
    this.#post({ type: 'hello', stateVector: Y.encodeStateVector(this.#doc) })
    this.#lookAfter()
  }

  /** Nobody is there to tell. Whoever comes says hello, and is answered with what this window has by then. */
  get #isAlone(): boolean {
    return this.#neighbours.size === 0
  }

  #tell(what: What, to?: string): void {
    if (!this.#isAlone) this.#post(what, to)
  }

  #post(what: What, to?: string): void {
    if (!this.#channel) return
    this.#told = this.#handlers.counts()
    const said: Said = {
      ...what,
      from: this.#id,
      window: this.#powers.own.id,
      ...(to && { to }),
      counts: this.#told,
    }
    this.#channel.postMessage(said)
  }

  #hear(said: Said): void {
    if (this.#closed || (said.to && said.to !== this.#id)) return
    const neighbour = this.#know(said)
    if (said.counts.saved > neighbour.counts.saved) neighbour.savedAt = this.#clock.now()
    if (ownUnsavedOf(neighbour.counts) === 0) neighbour.savedAt = this.#clock.now()
    neighbour.counts = later(neighbour.counts, said.counts)
    this.#act(said)
    this.#handlers.onCount()
  }

  #act(said: Said): void {
    switch (said.type) {
      case 'hello':
        this.#post({ type: 'here', stateVector: Y.encodeStateVector(this.#doc) }, said.from)
        return this.#meet(said)
      case 'here':
        this.#bring(said)
        return this.#meet(said)
      case 'ask':
        return this.#post({ type: 'state', update: missingIn(said.stateVector, this.#doc) }, said.from)
      case 'state':
        this.#take(said.update)
        return this.#askNext(said.from)
      case 'edit':
        this.#take(said.update)
        this.#handlers.stamps.heard(said.stamp, said.from)
        return this.#handlers.notes.heard(said.note, said.from)
      case 'stamp':
        return this.#handlers.stamps.heard(said.stamp, said.from)
      case 'note':
        return this.#handlers.notes.heard(said.note, said.from)
      case 'bye':
        return this.#onGone(said.from)
      case 'counts': // as with every message
    }
  }

  #take(update: Uint8Array): void {
    this.#handlers.beforeEdit()
    applyContained(this.#doc, update, this)
  }

  #meet(said: Extract<Said, { type: 'hello' | 'here' }>): void {
    this.#wish(said.from, said)
    this.#handlers.notes.met(said.from)
    this.#handlers.stamps.met(said.from)
  }

  #know({ from, window }: Said): Neighbour {
    const known = this.#neighbours.get(from)
    if (known) return known
    const stopWatching = whenGone(this.#powers.locks, window, () => this.#onGone(from))
    const neighbour = { counts: none, savedAt: this.#clock.now(), stopWatching }
    this.#neighbours.set(from, neighbour)
    return neighbour
  }

  /** What was written before anybody answered was told to nobody. */
  #bring({ from, stateVector }: Extract<Said, { type: 'here' }>): void {
    // What is not saved may be a deletion, which no state vector shows.
    if (hasMore(this.#doc, stateVector) || unsavedOf(this.#handlers.counts()) > 0)
      this.#post({ type: 'state', update: missingIn(stateVector, this.#doc) }, from)
  }

  // Asking, one neighbour after the other: most have the same

  #wish(from: string, { counts, stateVector }: { counts: Counts; stateVector: Uint8Array }): void {
    // What is not saved may be a deletion, which no state vector shows.
    if (!knowsMore(stateVector, this.#doc) && unsavedOf(counts) === 0) return
    this.#toAsk.set(from, stateVector)
    if (this.#toAsk.size === 1) this.#ask(from)
  }

  #ask(whom: string): void {
    this.#post({ type: 'ask', stateVector: Y.encodeStateVector(this.#doc) }, whom)
  }

  #askNext(answered: string): void {
    const asked = this.#toAsk.keys().next().value === answered
    this.#toAsk.delete(answered)
    for (const [from, stateVector] of this.#toAsk) {
      const counts = this.#neighbours.get(from)?.counts ?? none
      if (knowsMore(stateVector, this.#doc) || unsavedOf(counts) > 0) {
        if (asked) this.#ask(from)
        return
      }
      this.#toAsk.delete(from)
    }
  }

  // Taking over

  #onGone(from: string): void {
    const neighbour = this.#neighbours.get(from)
    if (!neighbour) return
    neighbour.stopWatching()
    this.#neighbours.delete(from)
    this.#askNext(from)
    this.#handlers.notes.gone(from)
    this.#handlers.stamps.gone(from)
    const { counts } = neighbour
    if (unsavedOf(counts) > 0) this.#handlers.onOrphans(unsavedOf(counts), counts.unstored)
    this.#handlers.onCount()
  }

  /** What it made itself: what it took over from another, that other's neighbours have taken over, too. */
  #help(neighbour: Neighbour): void {
    const { counts } = neighbour
    neighbour.counts = { ...counts, saved: counts.edits }
    this.#handlers.onOrphans(ownUnsavedOf(counts), 0)
  }

  #lookAfter(): void {
    this.#cancelLook = this.#clock.after(STUCK_MS / 2, () => {
      const since = this.#clock.now() - STUCK_MS
      for (const neighbour of this.#neighbours.values()) {
        if (ownUnsavedOf(neighbour.counts) > 0 && neighbour.savedAt < since) this.#help(neighbour)
      }
      this.#lookAfter()
    })
  }
}

const ownUnsavedOf = ({ edits, saved }: Counts): number => Math.max(0, edits - saved)

const unsavedOf = (counts: Counts): number => ownUnsavedOf(counts) + counts.adopted

const isSame = (a: Counts, b: Counts): boolean =>
  a.edits === b.edits && a.saved === b.saved && a.adopted === b.adopted && a.unstored === b.unstored

/** Messages come in order, but what was taken over stays taken over. */
const later = (known: Counts, told: Counts): Counts => ({
  ...told,
  edits: Math.max(known.edits, told.edits),
  saved: Math.max(known.saved, told.saved),
})
