/**
 * One part of one document in memory. An edit is checked, applied, committed, and only then seen by anybody else (D1):
 *
 *   accept ─▶ check ─▶ apply ─▶ queue ─▶ one append a batch ─▶ told to the others, acknowledged to its author
 *
 * The Y.Doc runs ahead of the disk by what is queued, so whoever joins hears of it when the queue as it stood is on disk. Who has
 * nothing yet is sent what is on disk as it is, and needs no Y.Doc.
 *
 * Nothing that is thrown leaves it but refusals (A7). An edit that Yjs breaks on is refused, and the Y.Doc made anew; a member that
 * throws is put out; anything else is a fault of the room, which puts everybody out to come again, and is loaded afresh.
 */
import type { Logger } from 'pino'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import type { CloseCode, CloseReason } from '../../lib/protocol/close.ts'
import { digestOf } from '../../lib/protocol/digest.ts'
import { MAX_DESK_BYTES, MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal, Role } from '../access/principal.ts'
import { may } from '../access/principal.ts'
import type { Counts } from '../metrics/counts.ts'
import type { Snapshot } from '../store/compaction.ts'
import {
  type ClientOwner,
  type DocumentStore,
  type Edit,
  type Loaded,
  type Part,
  SERVER_OWNER,
} from '../store/store.ts'
import { AppendQueue } from './append-queue.ts'
import { Audience, type FirstState, NO_CLIENT, type Seat } from './audience.ts'
import { checkAuthors } from './check-authors.ts'
import type { Checked, Clocks } from './check-update.ts'
import { type Claims, ClientOwners, type Writer } from './client-owners.ts'
import type { ClientIdBudget } from './client-id-budget.ts'
import type { IntegrationBudget } from './integration-budget.ts'
import { IntegrationCost } from './integration-cost.ts'
import { LogLength } from './log-length.ts'
import { Pace, pauseFor } from './pace.ts'
import { nextTurn } from './pauses.ts'
import { type DecodedUpdate, readUpdateSteps } from './read-update.ts'
import { stampOf } from './room-presence.ts'
import { RoomRefusal } from './rooms.ts'
import { decodedBytes, LARGE_TEXT_BYTES, RoomText } from './room-text.ts'
import { startOf } from './text-start.ts'
import type { TextThreads } from './text-threads.ts'

const NOTHING: Clocks = new Map()
const NO_CLAIMS: Claims = { claims: [], recovers: false }
const SERVER: Writer = { principal: SERVER_OWNER }
const EMPTY_STATE_VECTOR = Uint8Array.of(0)
const LOADING_AGAIN: CloseReason = { code: 'overloaded', detail: strings.room.loadingAgain }
const MISTAKE: CloseReason = { code: 'overloaded', detail: strings.session.mistake, retryAfterMs: 1_000 }
const NO_STATE_VECTOR: CloseReason = { code: 'bad-message', detail: strings.room.noStateVector }
const BEHIND_REFUSED: CloseReason = { code: 'behind', detail: strings.edit.behindRefused }
const documentLimit = { limit: MAX_DOCUMENT_BYTES, detailOf: strings.room.documentFull }
const deskLimit = { limit: MAX_DESK_BYTES, detailOf: strings.room.deskFull }
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
const MIB = 1024 * 1024
/** Less is decoded in one go, in some 10 ms at most. */
const LONG_EDIT_BYTES = 64 * 1024
/** To make the document of a large text takes about so long. */
const MAKING_MS_PER_MIB = 100
const NOT_READ: CloseReason = {
  code: 'overloaded',
  detail: strings.room.notRead,
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
  readonly budget: IntegrationBudget
  readonly clientIds: ClientIdBudget
  /** After each commit, with what was committed. */
  onCommitted(room: Room, edits: readonly Edit[]): void
  onEmpty(): void
  /** Everybody is out, and it is to be closed once settled. Called once. */
  onFault(): void
  /** When the store was restored from a backup; null where it never was. */
  readonly restoredAt?: number | null
  /** An edit brought back others' text that the restore had lost, and is on disk. */
  onRecovered?(room: Room): void
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
  /** The room is at fault: it may be on disk or not, and nobody is told which. */
  abandoned(): void
}

/** Checked, and to be taken in. */
interface Admitted {
  readonly seat: Seat
  readonly edit: Edit
  readonly checked: Checked
  readonly cost: IntegrationCost
  /** Takes back what was noted of it, where it is refused. */
  readonly undo: () => void
}

/** Of a busy room: queued, and not in the document yet. */
interface Untaken extends Pick<Admitted, 'checked' | 'cost' | 'undo'> {
  readonly step: Step
}

export class Room {
  readonly document: string
  readonly part: Part
  readonly #parts: RoomParts
  readonly #text: RoomText
  readonly #audience: Audience
  readonly #owners: ClientOwners
  readonly #logLength: LogLength
  readonly #pace = new Pace()
  readonly #queue: AppendQueue<Step>
  #untaken: Untaken[] = []
  #digest: Promise<Uint8Array | null> | null = null
  /** Until then the document is not there yet, or holds a part of an edit: whoever needs it waits. */
  #gate: Promise<void> | null = null
  /** At least as many as the document takes when it is encoded whole. */
  #bytes: number
  #measuredAt = -Infinity
  #mergeFailed = false
  /** True: to be closed once settled, and loaded afresh. */
  faulty = false

  private constructor(parts: RoomParts, loaded: Loaded, known?: Uint8Array) {
    this.#parts = parts
    this.document = parts.document
    this.part = parts.part
    this.#queue = this.#openQueue()
    this.#text = RoomText.of(loaded, known)
    this.#audience = new Audience(this.#text.known, {
      onMemberFailed: (seat, error) => this.#onMemberFailed(seat, error),
      onMergeFailed: (error) => this.#onMergeFailed(error),
      onLatePresence: (seat) =>
        this.#containQuietly(() => this.#tellPresence(seat, this.#audience.takePresence(seat))),
      mayUse: (seat, client) => this.#owners.isFree(client, writerOf(seat)),
    })
    this.#logLength = new LogLength(loaded)
    this.#owners = new ClientOwners(loaded, parts.restoredAt)
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

  /** Its beginning. @throws {RoomRefusal} where the text is at fault. */
  async title(): Promise<string> {
    await this.#whenWhole()
    return startOf(this.#doc.getText('title'), MAX_TITLE_LETTERS)
  }

  get seats(): ReadonlySet<Seat> {
    return this.#audience.seats
  }

  /** @throws {RoomRefusal} `taken` for a seat that announces somebody else's client id (A5). */
  enter(seat: Seat, stateVector: Uint8Array): void {
    this.#contain(() => {
      if (!readStateVector(stateVector)) throw new RoomRefusal(NO_STATE_VECTOR) // before anything is kept for the seat
      this.#announce(seat, seat.client, stateVector)
      this.#tellState(seat, stateVector)
      this.#audience.enter(seat)
      if (this.#queue.isFailing) seat.member.onStore(true)
    })
  }

  /** @param client The Yjs client id it writes under from now on. @throws {RoomRefusal} */
  resync(seat: Seat, stateVector: Uint8Array, client: number): void {
    this.#contain(() => {
      if (!this.seats.has(seat)) return
      if (client !== seat.client) this.#announceAnew(seat, client, stateVector)
      this.#tellState(seat, stateVector)
    })
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
    this.#containQuietly(() => {
      if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
      const tell = (updates: readonly Uint8Array[]): void => this.#audience.tellCaughtUp(seat, heard, updates)
      if (this.#isApart(this.owes(seat)))
        return this.#whenCommitted(() => void this.#findLacking(seat, heard, tell))
      const update = Y.encodeStateAsUpdate(this.#doc, heard)
      this.#whenCommitted(() => tell([update]))
    })
  }

  /** Resolves after the commit. @throws {RoomRefusal} Then nothing was stored. */
  async accept(seat: Seat, update: Uint8Array, number: number): Promise<void> {
    if (this.faulty || !this.seats.has(seat)) throw new RoomRefusal(LOADING_AGAIN)
    if (!may(seat.role, 'write')) {
      throw new RoomRefusal({ code: 'forbidden', detail: strings.room.readOnly })
    }
    const own = new Uint8Array(update)
    if (this.#whenMade()) await this.#waitToWrite(seat)
    const cost = new IntegrationCost(own.length)
    const decoded = own.length > LONG_EDIT_BYTES ? await this.#readInTurns(seat, own, cost) : undefined
    const recovers = await this.#contain(() => this.#accept(seat, own, number, cost, decoded))
    if (recovers) this.#parts.onRecovered?.(this)
  }

  /** A long edit is decoded with turns for everybody else, in which the document's other edits wait. @throws {RoomRefusal} */
  #readInTurns(seat: Seat, update: Uint8Array, cost: IntegrationCost): Promise<DecodedUpdate> {
    const { id } = seat.principal
    this.#contain(() => this.#admit(id, update.length))
    const steps = readUpdateSteps(update, cost)
    const reading = this.#inTurns(() => this.#charging(id, cost, () => steps.next()))
    this.#holdFor(seat, reading)
    return reading
  }

  /** Before anything is read. @throws {RoomRefusal} */
  #admit(principal: string, bytes: number): void {
    this.#parts.budget.admit(principal, this.#key)
    this.#checkRoom(bytes)
  }

  /** Whether it brought back what others wrote, once it is on disk. */
  #accept(
    seat: Seat,
    update: Uint8Array,
    number: number,
    cost: IntegrationCost,
    decoded?: DecodedUpdate,
  ): Promise<boolean> {
    const { id } = seat.principal
    this.#admit(id, update.length)
    // Its authors are looked for in the document, which has to be as far as what the edit is checked against.
    if (this.part === 'comments') void this.#doc
    const checked = this.#charging(id, cost, () => this.#check(update, cost, decoded))
    const { claims, recovers } = this.#claim(checked.clocks, writerOf(seat))
    this.#parts.clientIds.admit(id, this.#key, claims.length)
    // What a restored store lost has its own authors.
    if (this.part === 'comments' && !recovers) this.#checkAuthors(checked, seat.principal, cost)
    this.#parts.counts.edits += 1
    const edit = this.#edit({ ...checked, claims }, seat.principal, seat.session, number)
    const disown = this.#owners.own(claims)
    const undo = (): void => {
      disown()
      this.#bytes -= update.length
    }
    this.#bytes += update.length
    const admitted: Admitted = { seat, edit, checked, cost, undo }
    const done = this.#takeInAndCommit(admitted)
    this.#parts.clientIds.charge(id, this.#key, claims.length)
    return done.then(() => recovers)
  }

  /** In a busy room later, with what others say; where it is long, with turns for everybody else in between. */
  #takeInAndCommit(admitted: Admitted): Promise<void> {
    const { checked, cost, seat, undo } = admitted
    if (pauseFor(this.seats.size) > 0 && this.#text.mayWait(checked))
      return this.#commitAdmitted(admitted, true, (step) => this.#takeInLater({ checked, cost, step, undo }))
    const takeStep = this.#stepsOf(admitted)
    try {
      const first = takeStep()
      if (first.done) return this.#commitAdmitted(admitted, first.value)
    } catch (error) {
      undo()
      throw error
    }
    const rest = this.#inTurns(takeStep)
    const committed = rest.then(
      (isNews) => this.#commitAdmitted(admitted, isNews),
      (error: unknown) => {
        undo()
        throw error
      },
    )
    this.#holdFor(seat, rest)
    return committed
  }

  #stepsOf({ checked, cost, seat }: Admitted): () => IteratorResult<undefined, boolean> {
    const steps = this.#text.takeInSteps(checked, cost)
    const takeStep = (): IteratorResult<undefined, boolean> => {
      cost.aside(() => void this.#doc) // which takes in what others said before
      const step = this.#apply(() => steps.next(), cost)
      if (step.done && !step.value) cost.brings(0)
      return step
    }
    return () => this.#charging(seat.principal.id, cost, takeStep)
  }

  /** One step a turn. @throws {RoomRefusal} where the room fails meanwhile, and whatever a step throws. */
  async #inTurns<Answer>(takeStep: () => IteratorResult<undefined, Answer>): Promise<Answer> {
    for (;;) {
      await nextTurn()
      if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
      const step = takeStep()
      if (step.done) return step.value
    }
  }

  /** @param isNews False: all of it is known, perhaps from a queue that is not on disk yet, and it is acknowledged when that is. */
  #commitAdmitted(
    { seat, edit, checked }: Admitted,
    isNews: boolean,
    queued?: (step: Step) => void,
  ): Promise<void> {
    return this.#commit(isNews ? edit : null, checked.clocks, seat, queued)
  }

  /** The server's own edit, told to everybody. Resolves after the commit. */
  async change(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> {
    if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
    if (this.#whenMade()) await this.#whenWhole()
    if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
    return this.#contain(() => {
      const changed = this.#apply(() => this.#text.change((doc) => run(this.#withOwnClient(doc))))
      if (!changed) return undefined
      const { update, clocks } = changed
      const { claims } = this.#claim(clocks, SERVER)
      this.#owners.own(claims)
      this.#bytes += update.length
      const edit = this.#edit({ update, clocks, claims }, principal, SERVER_SESSION, 0)
      return this.#commit(edit, clocks, null)
    })
  }

  /** A caret goes out behind the letters it was typed with: in one frame with them, and never where nobody else has them yet. */
  hearPresence(seat: Seat, update: Uint8Array): void {
    this.#hearPresence(seat, () => this.#audience.hearPresence(seat, update))
  }

  hearCaret(seat: Seat, cursor: string): void {
    this.#hearPresence(seat, () => this.#audience.hearCaret(seat, cursor))
  }

  #hearPresence(seat: Seat, hear: () => Uint8Array | null): void {
    if (!this.seats.has(seat)) return // what it says would be shown for good
    const presence = blaming('bad-frame', hear)
    this.#containQuietly(() => this.#tellPresence(seat, presence))
  }

  #tellPresence(seat: Seat, presence: Uint8Array | null): void {
    if (!presence) return
    if (seat.client === NO_CLIENT) this.#announceByPresence(seat)
    this.#behindItsEdits(seat, () => this.#audience.tellPresence(seat, presence))
  }

  /** Behind the edits it speaks of, too: who hears it has them. Never kept: it is about what happens now. */
  hearTrace(seat: Seat, to: number, bytes: Uint8Array): void {
    const copy = bytes.slice() // of a frame that may be long
    this.#containQuietly(() => this.#behindItsEdits(seat, () => this.#audience.tellTrace(seat, to, copy)))
  }

  /** Many windows ask about one state of the text, so it is worked out once for all of them. */
  digest(): Promise<Uint8Array | null> | null {
    if (!this.#queue.isSettled || this.faulty || this.#gate) return null
    return (this.#digest ??= this.#isApart(0) ? this.#digestApart() : this.#makeDigest())
  }

  async #makeDigest(): Promise<Uint8Array | null> {
    try {
      return await digestOf(this.#doc)
    } catch (error) {
      this.#onFault(error)
      return null
    }
  }

  repeatPresence(seat: Seat): void {
    this.#containQuietly(() => this.#audience.repeatPresence(seat))
  }

  hidePresence(seat: Seat): void {
    this.#containQuietly(() => this.#audience.hidePresence(seat))
  }

  leave(seat: Seat): void {
    const wasHere = this.seats.has(seat)
    this.#containQuietly(() => this.#audience.leave(seat))
    if (!wasHere) return
    this.#owners.leave(seat.client, writerOf(seat))
    if (this.seats.size === 0) this.#parts.onEmpty()
  }

  /** It may do something else from now on. */
  setRole(seat: Seat, role: Role): void {
    seat.role = role
    if (this.seats.has(seat) && seat.seated) this.#audience.tellRole(seat)
  }

  /** Its person is called otherwise from now on. @param color Where they chose another one. */
  setPrincipal(seat: Seat, principal: Principal, color?: string): void {
    seat.principal = principal
    if (!this.seats.has(seat)) return
    const stamp = { ...stampOf(principal), ...(color !== undefined && { color }) }
    this.#containQuietly(() => this.#tellPresence(seat, this.#audience.restamp(seat, stamp)))
  }

  evict(seat: Seat, reason: CloseReason): void {
    if (!this.seats.has(seat)) return
    this.leave(seat)
    try {
      seat.member.onEvicted(reason)
    } catch (error) {
      this.#parts.log.error({ document: this.document, err: error }, 'a member was put out, and failed')
    }
  }

  get isLong(): boolean {
    return this.#logLength.isLong(this.#text.isTopHeavy)
  }

  /**
   * What is on disk as one update, where making it takes no longer than a commit does: a small text, with nothing of it on its way
   * to the disk. Null elsewhere.
   */
  snapshot(): Snapshot | null {
    const isStored = this.#queue.length === 0 && !this.#text.isAhead
    const isWhole = this.#text.isMade && !this.#gate && this.#logLength.isOurs && isStored && !this.faulty
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
    while (this.#gate) await this.#gate.then(nextTurn)
    await this.#queue.settled()
  }

  /** Gives up what the store would not take; nobody was told that it was saved. */
  close(): void {
    this.#queue.close()
    this.#pace.stop()
    this.#audience.close()
    this.#text.destroy()
  }

  /** The sum of all edits overstates a text that was typed key by key, so it is measured before anything is refused. */
  #checkRoom(bytes: number): void {
    const { limit, detailOf } = this.part === 'desk' ? deskLimit : documentLimit
    if (this.#bytes + bytes > limit && performance.now() - this.#measuredAt > MEASURE_EVERY_MS) {
      this.#bytes = Y.encodeStateAsUpdate(this.#doc).length
      this.#measuredAt = performance.now()
    }
    if (this.#bytes + bytes > limit) throw new RoomRefusal({ code: 'too-large', detail: detailOf(limit) })
  }

  /** Throws where Yjs cannot take in what is stored. */
  get #doc(): Y.Doc {
    this.#takeInWaiting()
    if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
    return this.#text.doc
  }

  /** @throws {RoomRefusal} */
  #check(update: Uint8Array, cost: IntegrationCost, decoded?: DecodedUpdate): Checked {
    const doc = (): Y.Doc => cost.aside(() => this.#doc)
    const checked = blaming('bad-update', () => this.#text.check(update, doc, cost, decoded))
    cost.brings(checked.update.length)
    return checked
  }

  /** @throws {RoomRefusal} */
  #checkAuthors(checked: Checked, writer: Principal, cost: IntegrationCost): void {
    const doc = this.#doc
    const check = (): void => checkAuthors(doc, checked, writer, cost)
    this.#charging(writer.id, cost, () => blaming('bad-update', check))
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
      if (error instanceof RoomRefusal && error.reason.code === 'behind') cost.brings(0)
      else cost.refused()
      throw error
    } finally {
      this.#parts.budget.charge(principal, this.#key, cost.excessMs - before)
    }
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
    if (this.faulty) return waiting.forEach((untaken) => refuse(untaken, LOADING_AGAIN))
    const before = waiting.map(({ cost }) => cost.excessMs)
    try {
      this.#text.takeInAll(waiting)
    } catch (error) {
      this.#forgetUntaken(error)
      this.#takeInOneByOne(waiting)
    }
    for (const [index, { cost, step }] of waiting.entries())
      if (step.author)
        this.#parts.budget.charge(step.author.principal.id, this.#key, cost.excessMs - before[index]!)
  }

  /** What is to blame is refused, and what its author says behind it: each costs making the document anew. */
  #takeInOneByOne(waiting: readonly Untaken[]): void {
    const blamed = new Set<string | undefined>()
    for (const untaken of waiting) {
      const { checked, step } = untaken
      const author = step.edit?.principal
      const cost = new IntegrationCost(checked.update.length)
      const takeInAgain = (): void => {
        const again = this.#check(checked.update, cost) // it may build on what was refused
        this.#apply(() => this.#text.takeIn(again, cost))
      }
      try {
        if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
        if (blamed.has(author)) throw new RoomRefusal(BEHIND_REFUSED)
        this.#charging(author ?? '', cost, takeInAgain)
      } catch (error) {
        const refusal = asRefusal('bad-update', error)
        refuse(untaken, refusal.reason)
        if (refusal.reason.code !== 'behind') blamed.add(author)
      }
    }
  }

  /** What throws is refused, and nothing of it stays in the document. */
  #apply<Answer>(run: () => Answer, cost?: IntegrationCost): Answer {
    void this.#doc // where what is stored is at fault, the edit is not
    try {
      return run()
    } catch (error) {
      this.#dropHalf(error, cost)
      throw this.faulty ? new RoomRefusal(LOADING_AGAIN) : asRefusal('bad-update', error)
    }
  }

  /** A large document is made anew when it is next needed, and whoever is to blame owes the time. */
  #dropHalf(cause: unknown, cost?: IntegrationCost): void {
    this.#logRefused(cause)
    this.#text.dropHalf()
    if (this.#text.isMade) return
    if (this.#text.isLarge) {
      cost?.owes((MAKING_MS_PER_MIB * this.#text.bytes) / MIB)
      this.#gate = null
    } else this.#orFault(() => void this.#text.doc)
  }

  #forgetUntaken(cause: unknown): void {
    this.#logRefused(cause)
    this.#orFault(() => this.#text.forgetUntaken())
  }

  #logRefused(cause: unknown): void {
    this.#parts.log.warn({ document: this.document, err: cause }, 'an edit was refused while it was taken in')
  }

  #orFault(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** @throws {RoomRefusal} and nothing else. */
  #contain<Answer>(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (error instanceof RoomRefusal) throw error
      this.#onFault(error)
      throw new RoomRefusal(LOADING_AGAIN)
    }
  }

  /** For what nobody waits to hear the answer of. */
  #containQuietly(run: () => void): void {
    try {
      this.#contain(run)
    } catch {
      // Everybody is told that the document is loaded again.
    }
  }

  /** This copy of the text may no longer be the store's, or what is stored cannot be told. */
  #onFault(cause: unknown): void {
    const { log, onFault } = this.#parts
    log.error({ document: this.document, part: this.part, err: cause }, 'a room failed; it is loaded again')
    if (this.faulty) return
    this.faulty = true
    for (const seat of this.seats) this.evict(seat, LOADING_AGAIN)
    onFault()
  }

  #onMemberFailed(seat: Seat, error: unknown): void {
    this.#parts.log.error({ document: this.document, err: error }, 'a member failed, and is put out')
    queueMicrotask(() => this.evict(seat, MISTAKE)) // the others are being told
  }

  #onMergeFailed(error: unknown): void {
    if (this.#mergeFailed) return
    this.#mergeFailed = true
    this.#parts.log.error(
      { document: this.document, err: error },
      'edits cannot be merged; each is told by itself',
    )
  }

  /** @throws {RoomRefusal} `taken` where new structs come under somebody else's client id (A5). Nobody else is on a desk. */
  #claim(clocks: Clocks, writer: Writer): Claims {
    return this.part === 'desk' ? NO_CLAIMS : this.#owners.claim(clocks.keys(), writer)
  }

  #announce(seat: Seat, client: number, stateVector: Uint8Array): void {
    if (client === NO_CLIENT || this.part === 'desk') return
    const has = readStateVector(stateVector)?.get(client) ?? 0
    this.#owners.announce(client, writerOf(seat), has > (this.#text.known.get(client) ?? 0))
  }

  #announceAnew(seat: Seat, client: number, stateVector: Uint8Array = EMPTY_STATE_VECTOR): void {
    this.#announce(seat, client, stateVector)
    this.#owners.leave(seat.client, writerOf(seat))
    seat.client = client
  }

  /** A stock client says nowhere else which id is its own, and its presence tells everybody. */
  #announceByPresence(seat: Seat): void {
    const client = this.#audience.clientOf(seat)
    if (client !== undefined && this.#owners.isFree(client, writerOf(seat))) this.#announceAnew(seat, client)
  }

  /** The document's own is random, so somebody may have had it before. */
  #withOwnClient(doc: Y.Doc): Y.Doc {
    while (!this.#owners.isFree(doc.clientID, SERVER)) doc.clientID = uint32()
    this.#owners.announce(doc.clientID, SERVER)
    return doc
  }

  #edit(
    { update, clocks, claims }: { update: Uint8Array; clocks: Clocks; claims: readonly ClientOwner[] },
    principal: Principal,
    session: string,
    number: number,
  ): Edit {
    const { document, part } = this
    const clients = [...clocks.keys()]
    return { document, part, update, principal: principal.id, session, number, clients, claims }
  }

  #commit(
    edit: Edit | null,
    clocks: Clocks,
    author: Seat | null,
    queued?: (step: Step) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const committed = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
      const abandoned = (): void => reject(new RoomRefusal(LOADING_AGAIN))
      const step: Step = { edit, clocks, author, refusal: null, committed, abandoned }
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
    const abandoned = (): void => {}
    this.#enqueue({ edit: null, clocks: NOTHING, author: null, refusal: null, committed, abandoned })
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
      onFault: (error, steps) => {
        this.#onFault(error)
        for (const step of steps) step.abandoned()
      },
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
    if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
    if (readStateVector(stateVector)?.size && this.#isApart(this.lackedBy(stateVector)))
      return this.#tellDifference(seat, new Uint8Array(stateVector))
    const state = this.#stateFor(stateVector)
    this.#whenCommitted(() => this.#audience.tellState(seat, state))
  }

  // Large texts: what would keep everybody else waiting is worked out in a thread.

  /** @param bytes How many are to be told. */
  #isApart(bytes: number): boolean {
    return this.#gate !== null || (this.#text.isLarge && (!this.#text.isMade || bytes > LARGE_TEXT_BYTES))
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
        if (later) this.#containQuietly(tell.bind(null, [update, ...later]))
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

  /**
   * Null where the document is there whole, or is small enough to be made at once. Never rejects: where it could not be made, the room
   * is at fault.
   */
  #whenMade(): Promise<void> | null {
    if (!this.#gate && this.#text.isLarge && !this.#text.isMade) this.#hold(this.#make())
    return this.#gate
  }

  /** Of those who wait, each goes on in the order of their coming, and may have the others wait again. */
  async #whenWhole(): Promise<void> {
    let passed: Promise<void> | null = null
    for (let gate = this.#whenMade(); gate !== passed; gate = this.#whenMade()) {
      await gate
      passed = gate
    }
  }

  #hold(working: Promise<unknown>): void {
    const gate = working.then(nothing, nothing)
    this.#gate = gate
    // Nobody overtakes those who wait for it: they go on before the next turn.
    void gate.then(nextTurn).then(() => {
      if (this.#gate === gate) this.#gate = null
    })
  }

  /** Who leaves meanwhile has said it all the same. */
  #holdFor(seat: Seat, working: Promise<unknown>): void {
    seat.writing += 1
    this.#hold(working.finally(() => (seat.writing -= 1)))
  }

  async #make(): Promise<void> {
    try {
      // What was taken in and is not on disk yet comes out of the store with the rest.
      if (this.#text.isAhead) await this.#queue.settled()
      await this.#text.makeFrom(await this.#parts.texts.pieces(this.document, this.#text.stored))
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** An edit that waits; who leaves meanwhile has said it all the same. */
  async #waitToWrite(seat: Seat): Promise<void> {
    seat.writing += 1
    await this.#whenWhole()
    seat.writing -= 1
    if (this.faulty) throw new RoomRefusal(LOADING_AGAIN)
  }

  /** What whoever has this state vector lacks, to be asked for once the queue as it stands is on disk. */
  #stateFor(theirs: Uint8Array): () => FirstState {
    const clocks = readStateVector(theirs)
    if (!clocks) throw new RoomRefusal(NO_STATE_VECTOR)
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

const nothing = (): void => {}

const writerOf = ({ principal, session }: Seat): Writer => ({
  principal: principal.id,
  session: principal.token === undefined ? undefined : session,
})

function refuse({ step, undo }: Untaken, reason: CloseReason): void {
  undo()
  step.edit = null
  step.refusal = new RoomRefusal(reason)
}

/** Whatever it throws is the sender's doing. @throws {RoomRefusal} */
function blaming<Answer>(code: CloseCode, run: () => Answer): Answer {
  try {
    return run()
  } catch (error) {
    throw asRefusal(code, error)
  }
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
