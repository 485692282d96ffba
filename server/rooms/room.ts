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
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
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
import type { IntegrationBudget } from './integration-budget.ts'
import { IntegrationCost } from './integration-cost.ts'
import { LogLength } from './log-length.ts'
import { Pace, pauseFor } from './pace.ts'
import { RoomRefusal } from './rooms.ts'
import { RoomText } from './room-text.ts'

const NOTHING: Clocks = new Map()
const LOADING_AGAIN: CloseReason = { code: 'overloaded', detail: 'The document is being loaded again.' }
const BEHIND_REFUSED: CloseReason = { code: 'behind', detail: 'It came behind an edit that was refused.' }
const documentLimit = { limit: MAX_DOCUMENT_BYTES, name: 'MAX_DOCUMENT_BYTES', what: 'the document' }
const deskLimit = { limit: MAX_DESK_BYTES, name: 'MAX_DESK_BYTES', what: 'your desk' }
/** While the store hangs, carets are not worth the memory. */
const MAX_QUEUED_FOR_PRESENCE = 1_000
/** In the place of a session's id: the server's own edits. */
export const SERVER_SESSION = 'server'
/** Encoding as many takes a few milliseconds at most. */
const QUICK_BYTES = 64 * 1024

export interface RoomParts {
  readonly document: string
  readonly part: Part
  readonly store: DocumentStore
  readonly log: Logger
  readonly counts: Counts
  readonly budget: IntegrationBudget
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
  readonly cost: IntegrationCost
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
  #digest: Promise<Uint8Array> | null = null
  /** At least as many as the document takes when it is encoded whole. */
  #bytes: number
  /** True: to be closed once settled, and loaded afresh. */
  spoiled = false

  private constructor(parts: RoomParts, loaded: Loaded) {
    this.#parts = parts
    this.document = parts.document
    this.part = parts.part
    this.#queue = this.#openQueue()
    this.#text = RoomText.of(loaded)
    this.#audience = new Audience(this.#text.known)
    this.#logLength = new LogLength(loaded)
    this.#bytes = this.#text.bytes
  }

  /** @throws {StoreError} D4: never an empty room in place of an unreadable one. */
  static async load(parts: RoomParts): Promise<Room> {
    const room = new Room(parts, await parts.store.load(parts.document, parts.part))
    await room.#text.pack()
    return room
  }

  get title(): string {
    return this.#doc.getText('title').toJSON()
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
    const update = Y.encodeStateAsUpdate(this.#doc, heard)
    this.#whenCommitted(() => this.#audience.tellCaughtUp(seat, heard, update))
  }

  /** Resolves after the commit. @throws {RoomRefusal} Then nothing was stored. */
  async accept(seat: Seat, update: Uint8Array, number: number): Promise<void> {
    if (this.spoiled || !this.seats.has(seat)) throw new RoomRefusal(LOADING_AGAIN)
    if (!may(seat.role, 'write')) {
      throw new RoomRefusal({ code: 'forbidden', detail: 'You can read this document, not write in it.' })
    }
    const { id } = seat.principal
    this.#parts.budget.admit(id, this.#key)
    this.#checkRoom(update.length)
    const cost = new IntegrationCost(update.length)
    const checked = this.#charging(id, cost, () => this.#text.check(new Uint8Array(update), cost))
    this.#parts.counts.edits += 1
    const edit = this.#edit(checked, seat.principal, seat.session, number)
    if (pauseFor(this.seats.size) > 0 && checked.structs.length > 0 && this.#text.isMade)
      return this.#commit(edit, checked.clocks, seat, (step) => this.#takeInLater({ checked, cost, step }))
    // All known already, perhaps from a queue that is not on disk yet: acknowledged when that is.
    const isNews = this.#charging(id, cost, () => this.#takeIn(checked, cost))
    await this.#commit(isNews ? edit : null, checked.clocks, seat)
  }

  /** The server's own edit, told to everybody. Resolves after the commit. */
  async change(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> {
    if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
    const changed = this.#apply(() => this.#text.change(run))
    if (!changed) return
    await this.#commit(this.#edit(changed, principal, SERVER_SESSION, 0), changed.clocks, null)
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
  digest(): Promise<Uint8Array> | null {
    if (!this.#queue.isSettled || this.spoiled) return null
    return (this.#digest ??= digestOf(this.#doc))
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
  settled(): Promise<void> {
    return this.#queue.settled()
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
    if (this.#bytes + bytes > limit) this.#bytes = Y.encodeStateAsUpdate(this.#doc).length
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

  get #key(): string {
    return `${this.document}/${this.part}`
  }

  /** What it takes beyond an honest edit's time is charged to the principal, also where it throws. */
  #charging<Answer>(principal: string, cost: IntegrationCost, run: () => Answer): Answer {
    const before = cost.excessMs
    try {
      return cost.spend(run)
    } catch (error) {
      if (!(error instanceof RoomRefusal) || error.reason.code !== 'behind') cost.refused()
      throw error
    } finally {
      this.#parts.budget.charge(principal, this.#key, cost.excessMs - before)
    }
  }

  #takeIn(checked: Checked, cost: IntegrationCost): boolean {
    return this.#apply(() => this.#text.takeIn(checked, cost))
  }

  #takeInLater(untaken: Untaken): void {
    this.#text.know(untaken.checked.clocks)
    this.#untaken.push(untaken)
  }

  /** Before they are written, and before anybody else looks at the document. */
  #takeInWaiting(): void {
    const waiting = this.#untaken
    if (waiting.length === 0) return
    this.#untaken = []
    const before = waiting.map(({ cost }) => cost.excessMs)
    try {
      this.#text.takeInAll(waiting)
    } catch (error) {
      this.#makeAnew(error)
      this.#takeInOneByOne(waiting)
    }
    for (const [index, { cost, step }] of waiting.entries())
      if (step.author)
        this.#parts.budget.charge(step.author.principal.id, this.#key, cost.excessMs - before[index]!)
  }

  /** What is to blame is refused, and what its author says behind it: each costs making the document anew. */
  #takeInOneByOne(waiting: readonly Untaken[]): void {
    const blamed = new Set<string | undefined>()
    for (const { checked, step } of waiting) {
      const author = step.author?.principal.id
      const cost = new IntegrationCost(checked.update.length)
      try {
        if (this.spoiled) throw new RoomRefusal(LOADING_AGAIN)
        if (blamed.has(author)) throw new RoomRefusal(BEHIND_REFUSED)
        const again = this.#text.check(checked.update, cost) // it may build on what was refused
        this.#charging(author ?? '', cost, () => this.#takeIn(again, cost))
      } catch (error) {
        const refusal = asRefusal('bad-update', error)
        refuse(step, refusal)
        if (refusal.reason.code !== 'behind') blamed.add(author)
      }
    }
  }

  /** What throws is refused, and nothing of it stays in the document. */
  #apply<Answer>(run: () => Answer): Answer {
    void this.#doc // where what is stored is at fault, the edit is not
    try {
      return run()
    } catch (error) {
      this.#makeAnew(error)
      throw this.spoiled ? new RoomRefusal(LOADING_AGAIN) : asRefusal('bad-update', error)
    }
  }

  #makeAnew(cause: unknown): void {
    this.#parts.log.warn({ document: this.document, err: cause }, 'an edit was refused while it was taken in')
    try {
      this.#text.makeAnew()
    } catch (error) {
      this.#spoil(error)
    }
  }

  /** What is stored cannot be read. */
  #spoil(cause: unknown): void {
    this.#parts.log.error(
      { document: this.document, err: cause },
      'a room cannot read its text; it is loaded again',
    )
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
    const state = this.#stateFor(stateVector)
    this.#whenCommitted(() => this.#audience.tellState(seat, state))
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

function refuse(step: Step, refusal: RoomRefusal): void {
  step.edit = null
  step.refusal = refusal
}

const asRefusal = (code: CloseCode, error: unknown): RoomRefusal =>
  error instanceof RoomRefusal ? error : new RoomRefusal({ code, detail: String(error) })

function readStateVector(bytes: Uint8Array): Map<number, number> | null {
  try {
    return Y.decodeStateVector(new Uint8Array(bytes))
  } catch {
    return null // who enters with it is told so
  }
}
