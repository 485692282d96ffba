/**
 * One part of one document in memory. An edit is checked, applied, committed, and only then seen by anybody else (D1):
 *
 *   accept ─▶ check ─▶ apply ─▶ queue ─▶ one append a batch ─▶ told to the others, acknowledged to its author
 *
 * The Y.Doc runs ahead of the disk by what is queued, so whoever joins hears of it when the queue as it stood is on disk. Who has
 * nothing yet is sent what is on disk as it is, and needs no Y.Doc.
 */
import type { Logger } from 'pino'
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { digestOf } from '../../lib/protocol/digest.ts'
import { MAX_DESK_BYTES, MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import type { Principal } from '../access/principal.ts'
import { may } from '../access/principal.ts'
import type { Counts } from '../metrics/counts.ts'
import type { Snapshot } from '../store/compaction.ts'
import type { DocumentStore, Edit, Loaded, Part } from '../store/store.ts'
import { AppendQueue } from './append-queue.ts'
import { Audience, type FirstState, type Seat } from './audience.ts'
import type { Checked, Clocks } from './check-update.ts'
import { LogLength } from './log-length.ts'
import { Pace, pauseFor } from './pace.ts'
import { RoomRefusal } from './rooms.ts'
import { decodedBytes, LARGE_TEXT_BYTES, RoomText } from './room-text.ts'
import { startOf } from './text-start.ts'
import type { TextThreads } from './text-threads.ts'

const NOTHING: Clocks = new Map()
const LOADING_AGAIN: CloseReason = { code: 'overloaded', detail: 'The document is being loaded again.' }
const documentLimit = { limit: MAX_DOCUMENT_BYTES, name: 'MAX_DOCUMENT_BYTES', what: 'the document' }
const deskLimit = { limit: MAX_DESK_BYTES, name: 'MAX_DESK_BYTES', what: 'your desk' }
/** While the store hangs, carets are not worth the memory. */
const MAX_QUEUED_FOR_PRESENCE = 1_000
/** In the place of a session's id: the server's own edits. */
export const SERVER_SESSION = 'server'
/** More than the list of documents shows. */
const MAX_TITLE_LETTERS = 4_000
/** Encoding as many takes a few milliseconds at most. */
const QUICK_BYTES = 64 * 1024
/** A text at its limit is measured whole: that often, and no more often. */
const MEASURE_EVERY_MS = 10_000
const NOT_READ: CloseReason = {
  code: 'overloaded',
  detail: 'The document cannot be read now.',
  retryAfterMs: 1_000,
}

export interface RoomParts {
  readonly document: string
  readonly part: Part
  readonly store: DocumentStore
  readonly log: Logger
  readonly counts: Counts
  /** Decode what is large. */
  readonly texts: TextThreads
  /** After each commit, with what was committed. */
  onCommitted(room: Room, edits: readonly Edit[]): void
  onEmpty(): void
}

/** What waits for the disk. */
interface Step {
  /** Null for what only waits, and for what was refused meanwhile. */
  edit: Edit | null
  /** What is known with the edit. */
  readonly clocks: Clocks
  readonly author: Seat | null
  refusal: RoomRefusal | null
  /** In the order of the commits, in one turn with the broadcasts around it. */
  committed(refusal: RoomRefusal | null): void
}

/** Of a busy room: checked, queued, and not in the document yet. */
interface Untaken {
  readonly checked: Checked
  readonly step: Step
}

export class Room {
  readonly document: string
  readonly part: Part
  readonly #parts: RoomParts
  readonly #text: RoomText
  readonly #audience: Audience
  readonly #logLength: LogLength
  readonly #pace = new Pace()
  readonly #queue: AppendQueue<Step>
  #untaken: Untaken[] = []
  #digest: Promise<Uint8Array | null> | null = null
  /** Of a large text: until those who waited for its document have gone on. */
  #making: Promise<void> | null = null
  /** At least as many as the document takes when it is encoded whole. */
  #bytes: number
  #measuredAt = -Infinity
  /** True: to be closed once settled, and loaded afresh. */
  spoiled = false

  private constructor(parts: RoomParts, loaded: Loaded, known?: Uint8Array) {
    this.#parts = parts
    this.document = parts.document
    this.part = parts.part
    this.#queue = this.#openQueue()
    this.#text = RoomText.of(loaded, known)
    this.#audience = new Audience(this.#text.known)
    this.#logLength = new LogLength(loaded)
    this.#bytes = this.#text.bytes
  }

  /** @throws {StoreError} D4: never an empty room in place of an unreadable one. */
  static async load(parts: RoomParts): Promise<Room> {
    const { store, document, part, texts } = parts
    const loaded = await store.load(document, part)
    const isLarge = decodedBytes(loaded) > LARGE_TEXT_BYTES
    const room = new Room(parts, loaded, isLarge ? await texts.stateVector(document, loaded) : undefined)
    await room.#text.pack()
    return room
  }

  get title(): string {
    return startOf(this.#doc.getText('title'), MAX_TITLE_LETTERS)
  }

  get seats(): ReadonlySet<Seat> {
    return this.#audience.seats
  }

  enter(seat: Seat, stateVector: Uint8Array): void {
    this.#tellState(seat, stateVector)
    this.#audience.enter(seat)
    if (this.#queue.isFailing) seat.member.onStore(true)
  }

  resync(seat: Seat, stateVector: Uint8Array): void {
    if (this.seats.has(seat)) this.#tellState(seat, stateVector)
  }

  /** About how many bytes whoever has this state vector lacks; 0 for one that is none. */
  lackedBy(stateVector: Uint8Array): number {
    const theirs = readStateVector(stateVector)
    return theirs ? Math.ceil(this.#text.bytes * this.#audience.shareLackedBy(theirs)) : 0
  }

  owes({ heard }: Seat): number {
    return heard ? this.lackedBy(heard) : 0
  }

  /** Made of the document as it is now, and told once the queue as it stands is on disk (D1). */
  catchUp(seat: Seat): void {
    const { heard } = seat
    if (!heard) return
    const tell = (updates: readonly Uint8Array[]): void => this.#audience.tellCaughtUp(seat, heard, updates)
    if (this.#isApart(this.owes(seat)))
      return this.#whenCommitted(() => void this.#findLacking(seat, heard, tell))
    const update = Y.encodeStateAsUpdate(this.#doc, heard)
    this.#whenCommitted(() => tell([update]))
  }

  /** Resolves after the commit. @throws {RoomRefusal} Then nothing was stored. */
  async accept(seat: Seat, update: Uint8Array, number: number): Promise<void> {
    if (this.spoiled || !this.seats.has(seat)) throw new RoomRefusal(LOADING_AGAIN)
    if (!may(seat.role, 'write')) {
      throw new RoomRefusal({ code: 'forbidden', detail: 'You can read this document, not write in it.' })
    }
    const own = new Uint8Array(update)
    const making = this.#whenMade()
    if (making) await this.#waitFor(making, seat)
    this.#checkRoom(own.length)
    const checked = this.#text.check(own)
    this.#parts.counts.edits += 1
    const edit = this.#edit(checked, seat.principal, seat.session, number)
    if (pauseFor(this.seats.size) > 0 && checked.structs.length > 0 && this.#text.isMade)
      return this.#commit(edit, checked.clocks, seat, (step) => this.#takeInLater(checked, step))
    // All known already, perhaps from a queue that is not on disk yet: acknowledged when that is.
    await this.#commit(this.#takeIn(checked) ? edit : null, checked.clocks, seat)
  }

  /** The server's own edit, told to everybody. Resolves after the commit. */
  async change(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> {
    await this.#whenMade()
    if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
    const update = this.#apply((doc) => changeOf(doc, run))
    if (!update) return
    const clocks = Y.parseUpdateMeta(update).to
    this.#text.know(clocks)
    await this.#commit(this.#edit({ update, clocks }, principal, SERVER_SESSION, 0), clocks, null)
  }

  /** A caret goes out behind the letters it was typed with: in one frame with them, and never where nobody else has them yet. */
  hearPresence(seat: Seat, update: Uint8Array): void {
    const told = this.#audience.hearPresence(seat, update)
    if (told) this.#behindItsEdits(seat, () => this.#audience.tellPresence(seat, told))
  }

  /** Behind the edits it speaks of, too: who hears it has them. Never kept: it is about what happens now. */
  hearTrace(seat: Seat, to: number, bytes: Uint8Array): void {
    const copy = bytes.slice() // of a frame that may be long
    this.#behindItsEdits(seat, () => this.#audience.tellTrace(seat, to, copy))
  }

  /** Many windows ask about one state of the text, so it is worked out once for all of them. */
  digest(): Promise<Uint8Array | null> | null {
    if (!this.#queue.isSettled || this.spoiled || this.#making) return null
    return (this.#digest ??= this.#isApart(0) ? this.#digestApart() : digestOf(this.#doc))
  }

  repeatPresence(seat: Seat): void {
    this.#audience.repeatPresence(seat)
  }

  hidePresence(seat: Seat): void {
    this.#audience.hidePresence(seat)
  }

  leave(seat: Seat): void {
    if (this.#audience.leave(seat) && this.seats.size === 0) this.#parts.onEmpty()
  }

  evict(seat: Seat, reason: CloseReason): void {
    if (!this.seats.has(seat)) return
    this.leave(seat)
    seat.member.onEvicted(reason)
  }

  get isLong(): boolean {
    return this.#logLength.isLong(this.#text.isTopHeavy)
  }

  /**
   * What is on disk as one update, where making it takes no longer than a commit does: a small text, with nothing of it on its way
   * to the disk. Null elsewhere.
   */
  snapshot(): Snapshot | null {
    const isWhole = this.#text.isMade && this.#logLength.isOurs && this.#queue.length === 0 && !this.spoiled
    if (!isWhole || this.#text.bytes > QUICK_BYTES) return null
    const state = Y.encodeStateAsUpdate(this.#doc)
    return { state, stateVector: Y.encodeStateVector(this.#text.known), sequence: this.#logLength.sequence }
  }

  /** The store has it in the place of all edits up to its sequence; whoever comes is sent it. */
  compacted({ state, sequence }: Snapshot): void {
    this.#text.compacted(state, this.#logLength.compacted(sequence))
    void this.#text.pack()
  }

  notCompacted(): void {
    this.#logLength.notCompacted()
  }

  /** Resolves when everything accepted is on disk. */
  async settled(): Promise<void> {
    if (this.#making) await this.#making.then(nextTurn)
    await this.#queue.settled()
  }

  /** Gives up what the store would not take; nobody was told that it was saved. */
  close(): void {
    this.#queue.close()
    this.#pace.stop()
    this.#text.destroy()
  }

  /** The sum of all edits overstates a text that was typed key by key, so it is measured before anything is refused. */
  #checkRoom(bytes: number): void {
    const { limit, name, what } = this.part === 'desk' ? deskLimit : documentLimit
    if (this.#bytes + bytes > limit && performance.now() - this.#measuredAt > MEASURE_EVERY_MS) {
      this.#bytes = Y.encodeStateAsUpdate(this.#doc).length
      this.#measuredAt = performance.now()
    }
    if (this.#bytes + bytes > limit) {
      const detail = `${what} would be over the limit of ${limit} bytes (${name})`
      throw new RoomRefusal({ code: 'too-large', detail })
    }
    this.#bytes += bytes
  }

  /** @throws {RoomRefusal} where Yjs cannot take in what is stored: then nobody stays. */
  get #doc(): Y.Doc {
    if (this.#untaken.length > 0) {
      this.#takeInWaiting()
      if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
    }
    try {
      return this.#text.doc
    } catch (error) {
      this.#spoil(error)
      throw new RoomRefusal(LOADING_AGAIN)
    }
  }

  #takeIn(checked: Checked): boolean {
    return this.#apply(() => this.#text.takeIn(checked))
  }

  #takeInLater(checked: Checked, step: Step): void {
    this.#text.know(checked.clocks)
    this.#untaken.push({ checked, step })
  }

  /** Before they are written, and before anybody else looks at the document. */
  #takeInWaiting(): void {
    const waiting = this.#untaken
    if (waiting.length === 0) return
    this.#untaken = []
    let taken = 0
    try {
      this.#text.inOne(() => {
        for (const { checked } of waiting) {
          this.#text.takeIn(checked)
          taken += 1
        }
      })
    } catch (error) {
      const [bad, ...behind] = waiting.slice(taken)
      if (bad) refuse(bad.step, new RoomRefusal({ code: 'bad-update', detail: String(error) }))
      for (const { step } of behind) refuse(step, new RoomRefusal(LOADING_AGAIN))
      this.#spoil(error)
    }
  }

  #apply<Answer>(run: (doc: Y.Doc) => Answer): Answer {
    const doc = this.#doc
    try {
      return run(doc)
    } catch (error) {
      this.#spoil(error)
      throw new RoomRefusal({ code: 'bad-update', detail: String(error) })
    }
  }

  /** The check let something through that Yjs took in by half: this copy of the text is no longer the store's. */
  #spoil(cause: unknown): void {
    this.#parts.log.error({ document: this.document, err: cause }, 'room spoiled by an edit; reloading it')
    this.spoiled = true
    for (const seat of this.seats) this.evict(seat, LOADING_AGAIN)
  }

  #edit(
    { update, clocks }: { update: Uint8Array; clocks: Clocks },
    principal: Principal,
    session: string,
    number: number,
  ): Edit {
    const { document, part } = this
    return { document, part, update, principal: principal.id, session, number, clients: [...clocks.keys()] }
  }

  #commit(
    edit: Edit | null,
    clocks: Clocks,
    author: Seat | null,
    queued?: (step: Step) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const committed = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
      const step: Step = { edit, clocks, author, refusal: null, committed }
      queued?.(step)
      this.#enqueue(step)
    })
  }

  /** In a busy room it waits for the next turn even so, and goes with what the others say. */
  #behindItsEdits(seat: Seat, run: () => void): void {
    if (seat.writing === 0 && !this.#pace.pauses) run()
    else if (this.#queue.length < MAX_QUEUED_FOR_PRESENCE) this.#whenCommitted(run)
  }

  /** Behind everything that was accepted so far. */
  #whenCommitted(committed: () => void): void {
    this.#enqueue({ edit: null, clocks: NOTHING, author: null, refusal: null, committed })
  }

  #enqueue(step: Step): void {
    if (step.author) step.author.writing += 1
    this.#queue.add(step)
  }

  #openQueue(): AppendQueue<Step> {
    const { document, store, log, counts } = this.#parts
    return new AppendQueue({
      document,
      store,
      log,
      counts,
      turn: (waiting) => this.#pace.turn(this.seats.size, waiting),
      onBatch: () => this.#takeInWaiting(),
      onCommitted: (steps, edits, first) => this.#committed(steps, edits, first),
      onFailing: (failing) => this.#audience.tellFailing(failing),
    })
  }

  #committed(steps: readonly Step[], edits: readonly Edit[], first: number): void {
    this.#digest = null
    if (edits.length > 0) this.#logLength.appended(first, edits.length)
    for (const step of steps) this.#afterCommit(step)
    this.#audience.flush()
    if (edits.length > 0) this.#parts.onCommitted(this, edits)
  }

  #afterCommit({ edit, clocks, author, refusal, committed }: Step): void {
    if (author) author.writing -= 1
    if (edit) {
      this.#text.committed(edit.update)
      this.#audience.addEdit({ update: edit.update, clocks, author })
    }
    committed(refusal)
  }

  #tellState(seat: Seat, stateVector: Uint8Array): void {
    if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
    if (readStateVector(stateVector)?.size && this.#isApart(this.lackedBy(stateVector)))
      return this.#tellDifference(seat, new Uint8Array(stateVector))
    const state = this.#stateFor(stateVector)
    this.#whenCommitted(() => this.#audience.tellState(seat, state))
  }

  // Large texts: what would keep everybody else waiting is worked out in a thread.

  /** @param bytes How many are to be told. */
  #isApart(bytes: number): boolean {
    return this.#text.isLarge && (!this.#text.isMade || bytes > LARGE_TEXT_BYTES)
  }

  /** Of what is on disk when all that is queued now is. */
  #tellDifference(seat: Seat, theirs: Uint8Array): void {
    const tell = (updates: readonly Uint8Array[]): void =>
      this.#audience.tellState(seat, () => ({ updates, stateVector: this.#audience.stateVector }))
    this.#whenCommitted(() => void this.#findLacking(seat, theirs, tell))
  }

  /** Never rejects. What is committed meanwhile is told with it. */
  async #findLacking(
    seat: Seat,
    theirs: Uint8Array,
    tell: (updates: readonly Uint8Array[]) => void,
  ): Promise<void> {
    try {
      for (let later: Uint8Array[] | null = null; later === null;) {
        const mark = this.#text.storedMark
        const update = await this.#parts.texts.difference(this.document, this.#text.stored, theirs.slice())
        later = this.#text.storedSince(mark)
        if (later) tell([update, ...later])
      }
    } catch (error) {
      this.#parts.log.error({ document: this.document, err: error }, 'a state could not be worked out')
      this.evict(seat, NOT_READ)
    }
  }

  /** Never rejects; null where it was not found. */
  async #digestApart(): Promise<Uint8Array | null> {
    try {
      return await this.#parts.texts.digest(this.document, this.#text.stored)
    } catch (error) {
      this.#parts.log.warn({ document: this.document, err: error }, 'a digest could not be worked out')
      return null
    }
  }

  /** Null where the document is there, or is small enough to be made at once. Never rejects: then the room is spoiled. */
  #whenMade(): Promise<void> | null {
    if (!this.#making && this.#text.isLarge && !this.#text.isMade) this.#making = this.#make()
    return this.#making
  }

  async #make(): Promise<void> {
    try {
      await this.#text.makeFrom(await this.#parts.texts.pieces(this.document, this.#text.stored))
    } catch (error) {
      this.#spoil(error)
    }
    // Nobody overtakes those who wait for it: they go on before the next turn.
    void nextTurn().then(() => {
      this.#making = null
    })
  }

  /** An edit that waits; who leaves meanwhile has said it all the same. */
  async #waitFor(making: Promise<void>, seat: Seat): Promise<void> {
    seat.writing += 1
    await making
    seat.writing -= 1
    if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
  }

  /** What whoever has this state vector lacks, to be asked for once the queue as it stands is on disk. */
  #stateFor(theirs: Uint8Array): () => FirstState {
    const clocks = readStateVector(theirs)
    if (!clocks) throw new RoomRefusal({ code: 'bad-message', detail: 'not a state vector' })
    if (clocks.size === 0) return () => this.#stored()
    const doc = this.#doc
    const updates = [Y.encodeStateAsUpdate(doc, new Uint8Array(theirs))]
    const stateVector = Y.encodeStateVector(doc)
    return () => ({ updates, stateVector })
  }

  #stored(): FirstState {
    const { stored: updates, packed } = this.#text
    return { updates, stateVector: this.#audience.stateVector, ...(packed && { packed }) }
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function refuse(step: Step, refusal: RoomRefusal): void {
  step.edit = null
  step.refusal = refusal
}

/** Returns all that it changed, as one update. */
function changeOf(doc: Y.Doc, run: (doc: Y.Doc) => void): Uint8Array | null {
  let made: Uint8Array | null = null
  const take = (update: Uint8Array): void => {
    made = update
  }
  doc.on('update', take)
  try {
    doc.transact(() => run(doc))
  } finally {
    doc.off('update', take)
  }
  return made
}

function readStateVector(bytes: Uint8Array): Map<number, number> | null {
  try {
    return Y.decodeStateVector(new Uint8Array(bytes))
  } catch {
    return null // who enters with it is told so
  }
}
