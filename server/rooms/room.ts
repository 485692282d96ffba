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
import { roleAllows } from '../access/principal.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { PartSnapshot } from '../store/compaction.ts'
import {
  type ClientOwner,
  type DocumentStore,
  type DocumentEdit,
  type LoadedPart,
  type DocumentPart,
  SERVER_OWNER,
} from '../store/store.ts'
import { AppendQueue } from './append-queue.ts'
import { RoomMembers, type FirstState, NO_CLIENT, type RoomMember } from './room-members.ts'
import { checkAuthors } from './check-authors.ts'
import type { CheckedUpdate, Clocks } from './check-update.ts'
import { type Claims, ClientOwners, type ClientWriter } from './client-owners.ts'
import type { ClientIdBudget } from './client-id-budget.ts'
import type { IntegrationBudget } from './integration-budget.ts'
import { IntegrationCost } from './integration-cost.ts'
import { LogLength } from './log-length.ts'
import { BatchPacing, pauseMsFor } from './batch-pacing.ts'
import { nextTurn } from './run-steps.ts'
import { type DecodedUpdate, readUpdateInSteps } from './read-update.ts'
import { presenceIdentityOf } from './room-presence.ts'
import { RoomRefusal } from './rooms.ts'
import { decodedBytesOf, LARGE_TEXT_BYTES, RoomText } from './room-text.ts'
import { firstLettersOf } from './first-letters.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

const NO_CLOCKS: Clocks = new Map()
const NO_CLAIMS: Claims = { claims: [], recovers: false }
const SERVER: ClientWriter = { principal: SERVER_OWNER }
const EMPTY_STATE_VECTOR = Uint8Array.of(0)
const ROOM_RELOADING: CloseReason = { code: 'overloaded', detail: strings.room.loadingAgain }
const INTERNAL_ERROR: CloseReason = {
  code: 'overloaded',
  detail: strings.session.serverError,
  retryAfterMs: 1_000,
}
const NO_STATE_VECTOR: CloseReason = { code: 'bad-message', detail: strings.room.noStateVector }
const BEHIND_REFUSED: CloseReason = { code: 'behind', detail: strings.edit.behindRefused }
const documentSizeLimit = { limit: MAX_DOCUMENT_BYTES, detailOf: strings.room.documentFull }
const deskSizeLimit = { limit: MAX_DESK_BYTES, detailOf: strings.room.deskFull }
/** While the store hangs, carets are not worth the memory. */
const MAX_QUEUED_FOR_PRESENCE = 1_000
/** In the place of a session's id: the server's own edits. */
export const SERVER_SESSION = 'server'
/** More than the list of documents shows. */
const MAX_TITLE_LETTERS = 4_000
/** Encoding as many takes a few milliseconds at most. */
const QUICK_BYTES = 64 * 1024
/** A text at its limit is measured whole: that often, and no more often. */
const MIN_MEASURE_INTERVAL_MS = 10_000
const MIB = 1024 * 1024
/** Less is decoded in one go, in some 10 ms at most. */
const LONG_EDIT_BYTES = 64 * 1024
/** To make the document of a large text takes about so long. */
const BUILD_MS_PER_MIB = 100
const STATE_UNREADABLE: CloseReason = {
  code: 'overloaded',
  detail: strings.room.notRead,
  retryAfterMs: 1_000,
}

export interface RoomOptions {
  readonly document: string
  readonly part: DocumentPart
  readonly store: DocumentStore
  readonly log: Logger
  readonly counts: ServerCounts
  /** Decode what is large. */
  readonly textWorkers: TextWorkerPool
  readonly budget: IntegrationBudget
  readonly clientIds: ClientIdBudget
  /** After each commit, with what was committed. */
  onCommitted(room: Room, edits: readonly DocumentEdit[]): void
  onEmpty(): void
  /** Everybody is out, and it is to be closed once settled. Called once. */
  onFault(): void
  /** When the store was restored from a backup; null where it never was. */
  readonly restoredAt?: number | null
  /** An edit brought back others' text that the restore had lost, and is on disk. */
  onRecovered?(room: Room): void
}

/** What waits for the disk. */
interface QueuedCommit {
  /** Null for what only waits, and for what was refused meanwhile. */
  edit: DocumentEdit | null
  /** What is known with the edit. */
  readonly clocks: Clocks
  readonly author: RoomMember | null
  refusal: RoomRefusal | null
  /** In the order of the commits, in one turn with the broadcasts around it. */
  onCommitted(refusal: RoomRefusal | null): void
  /** The room is at fault: it may be on disk or not, and nobody is told which. */
  onAbandoned(): void
}

/** Checked, and to be taken in. */
interface AdmittedEdit {
  readonly seat: RoomMember
  readonly edit: DocumentEdit
  readonly checked: CheckedUpdate
  readonly cost: IntegrationCost
  /** Takes back what was noted of it, where it is refused. */
  readonly undo: () => void
}

/** Of a busy room: queued, and not in the document yet. */
interface DeferredEdit extends Pick<AdmittedEdit, 'checked' | 'cost' | 'undo'> {
  readonly queuedCommit: QueuedCommit
}

export class Room {
  readonly document: string
  readonly part: DocumentPart
  readonly #parts: RoomOptions
  readonly #text: RoomText
  readonly #members: RoomMembers
  readonly #owners: ClientOwners
  readonly #logLength: LogLength
  readonly #pacing = new BatchPacing()
  readonly #queue: AppendQueue<QueuedCommit>
  #deferredEdits: DeferredEdit[] = []
  #currentDigest: Promise<Uint8Array | null> | null = null
  /** Until then the document is not there yet, or holds a part of an edit: whoever needs it waits. */
  #docReady: Promise<void> | null = null
  /** At least as many as the document takes when it is encoded whole. */
  #bytes: number
  #measuredAt = -Infinity
  #isMergeFailureLogged = false
  /** True: to be closed once settled, and loaded afresh. */
  isFaulty = false

  private constructor(options: RoomOptions, loaded: LoadedPart, stateVector?: Uint8Array) {
    this.#parts = options
    this.document = options.document
    this.part = options.part
    this.#queue = this.#createQueue()
    this.#text = RoomText.fromLoaded(loaded, stateVector)
    this.#members = new RoomMembers(this.#text.clocks, {
      onMemberFailed: (member, error) => this.#onMemberFailed(member, error),
      onMergeFailed: (error) => this.#onMergeFailed(error),
      onPresenceDue: (member) =>
        this.#containFaultsSilently(() =>
          this.#broadcastPresence(member, this.#members.takePresenceUpdate(member)),
        ),
      mayUse: (member, client) => this.#owners.isFree(client, writerOf(member)),
    })
    this.#logLength = new LogLength(loaded)
    this.#owners = new ClientOwners(loaded, options.restoredAt)
    this.#bytes = this.#text.bytes
  }

  /** @throws {StoreError} D4: never an empty room in place of an unreadable one. */
  static async load(options: RoomOptions): Promise<Room> {
    const { store, document, part, textWorkers } = options
    const loaded = await store.load(document, part)
    const isLarge = decodedBytesOf(loaded) > LARGE_TEXT_BYTES
    const room = new Room(
      options,
      loaded,
      isLarge ? await textWorkers.stateVector(document, loaded) : undefined,
    )
    await room.#text.pack()
    return room
  }

  /** Its beginning. @throws {RoomRefusal} where the text is at fault. */
  async readTitle(): Promise<string> {
    await this.#waitForDoc()
    return firstLettersOf(this.#doc.getText('title'), MAX_TITLE_LETTERS)
  }

  get members(): ReadonlySet<RoomMember> {
    return this.#members.all
  }

  /** @throws {RoomRefusal} `taken` for a seat that announces somebody else's client id (A5). */
  join(member: RoomMember, stateVector: Uint8Array): void {
    this.#containFaults(() => {
      if (!readStateVector(stateVector)) throw new RoomRefusal(NO_STATE_VECTOR) // before anything is kept for the seat
      this.#announceClient(member, member.client, stateVector)
      this.#sendState(member, stateVector)
      this.#members.add(member)
      if (this.#queue.isFailing) member.subscriber.onStoreStatus(true)
    })
  }

  /** @param client The Yjs client id it writes under from now on. @throws {RoomRefusal} */
  resync(member: RoomMember, stateVector: Uint8Array, client: number): void {
    this.#containFaults(() => {
      if (!this.members.has(member)) return
      if (client !== member.client) this.#changeClient(member, client, stateVector)
      this.#sendState(member, stateVector)
    })
  }

  /** About how many bytes whoever has this state vector lacks; 0 for one that is none. */
  missingBytesFor(stateVector: Uint8Array): number {
    const memberClocks = readStateVector(stateVector)
    return memberClocks ? Math.ceil(this.#text.bytes * this.#members.missingShareOf(memberClocks)) : 0
  }

  lagBytesOf({ lagStateVector }: RoomMember): number {
    return lagStateVector ? this.missingBytesFor(lagStateVector) : 0
  }

  /** Made of the document as it is now, and told once the queue as it stands is on disk (D1). */
  catchUp(member: RoomMember): void {
    const { lagStateVector } = member
    if (!lagStateVector) return
    this.#containFaultsSilently(() => {
      if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
      const send = (updates: readonly Uint8Array[]): void =>
        this.#members.sendMissedEdits(member, lagStateVector, updates)
      if (this.#needsWorker(this.lagBytesOf(member)))
        return this.#runAfterQueue(() => void this.#computeMissing(member, lagStateVector, send))
      const update = Y.encodeStateAsUpdate(this.#doc, lagStateVector)
      this.#runAfterQueue(() => send([update]))
    })
  }

  /** Resolves after the commit. @throws {RoomRefusal} Then nothing was stored. */
  async receiveEdit(member: RoomMember, update: Uint8Array, number: number): Promise<void> {
    if (this.isFaulty || !this.members.has(member)) throw new RoomRefusal(ROOM_RELOADING)
    if (!roleAllows(member.role, 'write')) {
      throw new RoomRefusal({ code: 'forbidden', detail: strings.room.readOnly })
    }
    const ownBytes = new Uint8Array(update)
    if (this.#ensureDoc()) await this.#waitForDocToWrite(member)
    const cost = new IntegrationCost(ownBytes.length)
    const decoded =
      ownBytes.length > LONG_EDIT_BYTES ? await this.#decodeInSteps(member, ownBytes, cost) : undefined
    const recovers = await this.#containFaults(() =>
      this.#acceptEdit(member, ownBytes, number, cost, decoded),
    )
    if (recovers) this.#parts.onRecovered?.(this)
  }

  /** A long edit is decoded with turns for everybody else, in which the document's other edits wait. @throws {RoomRefusal} */
  #decodeInSteps(member: RoomMember, update: Uint8Array, cost: IntegrationCost): Promise<DecodedUpdate> {
    const { id } = member.principal
    this.#containFaults(() => this.#admitEdit(id, update.length))
    const steps = readUpdateInSteps(update, cost)
    const reading = this.#runInSteps(() => this.#chargeFor(id, cost, () => steps.next()))
    this.#holdDocForEditOf(member, reading)
    return reading
  }

  /** Before anything is read. @throws {RoomRefusal} */
  #admitEdit(principal: string, bytes: number): void {
    this.#parts.budget.admit(principal, this.#partKey)
    this.#checkSize(bytes)
  }

  /** Whether it brought back what others wrote, once it is on disk. */
  #acceptEdit(
    member: RoomMember,
    update: Uint8Array,
    number: number,
    cost: IntegrationCost,
    decoded?: DecodedUpdate,
  ): Promise<boolean> {
    const { id } = member.principal
    this.#admitEdit(id, update.length)
    // Its authors are looked for in the document, which has to be as far as what the edit is checked against.
    if (this.part === 'comments') void this.#doc
    const checked = this.#chargeFor(id, cost, () => this.#check(update, cost, decoded))
    const { claims, recovers } = this.#claimClients(checked.clocks, writerOf(member))
    this.#parts.clientIds.admit(id, this.#partKey, claims.length)
    // What a restored store lost has its own authors.
    if (this.part === 'comments' && !recovers) this.#checkAuthors(checked, member.principal, cost)
    this.#parts.counts.edits += 1
    const edit = this.#createEdit({ ...checked, claims }, member.principal, member.session, number)
    const disown = this.#owners.recordClaims(claims)
    const undo = (): void => {
      disown()
      this.#bytes -= update.length
    }
    this.#bytes += update.length
    const admitted: AdmittedEdit = { seat: member, edit, checked, cost, undo }
    const done = this.#integrateAndCommit(admitted)
    this.#parts.clientIds.charge(id, this.#partKey, claims.length)
    return done.then(() => recovers)
  }

  /** In a busy room later, with what others say; where it is long, with turns for everybody else in between. */
  #integrateAndCommit(admitted: AdmittedEdit): Promise<void> {
    const { checked, cost, seat: member, undo } = admitted
    if (pauseMsFor(this.members.size) > 0 && this.#text.mayDefer(checked))
      return this.#commitAdmitted(admitted, true, (queuedCommit) =>
        this.#deferEdit({ checked, cost, queuedCommit, undo }),
      )
    const nextStep = this.#integrationStepsOf(admitted)
    try {
      const first = nextStep()
      if (first.done) return this.#commitAdmitted(admitted, first.value)
    } catch (error) {
      undo()
      throw error
    }
    const rest = this.#runInSteps(nextStep)
    const committed = rest.then(
      (isNew) => this.#commitAdmitted(admitted, isNew),
      (error: unknown) => {
        undo()
        throw error
      },
    )
    this.#holdDocForEditOf(member, rest)
    return committed
  }

  #integrationStepsOf({
    checked,
    cost,
    seat: member,
  }: AdmittedEdit): () => IteratorResult<undefined, boolean> {
    const steps = this.#text.integrateInSteps(checked, cost)
    const nextStep = (): IteratorResult<undefined, boolean> => {
      cost.excludeTime(() => void this.#doc) // which takes in what others said before
      const step = this.#applyOrRefuse(() => steps.next(), cost)
      if (step.done && !step.value) cost.setNewBytes(0)
      return step
    }
    return () => this.#chargeFor(member.principal.id, cost, nextStep)
  }

  /** One step a turn. @throws {RoomRefusal} where the room fails meanwhile, and whatever a step throws. */
  async #runInSteps<Answer>(nextStep: () => IteratorResult<undefined, Answer>): Promise<Answer> {
    for (;;) {
      await nextTurn()
      if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
      const step = nextStep()
      if (step.done) return step.value
    }
  }

  /** @param isNew False: all of it is known, perhaps from a queue that is not on disk yet, and it is acknowledged when that is. */
  #commitAdmitted(
    { seat: member, edit, checked }: AdmittedEdit,
    isNew: boolean,
    queued?: (step: QueuedCommit) => void,
  ): Promise<void> {
    return this.#commit(isNew ? edit : null, checked.clocks, member, queued)
  }

  /** The server's own edit, told to everybody. Resolves after the commit. */
  async applyServerEdit(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> {
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    if (this.#ensureDoc()) await this.#waitForDoc()
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    return this.#containFaults(() => {
      const changed = this.#applyOrRefuse(() =>
        this.#text.changeDoc((doc) => run(this.#withServerClient(doc))),
      )
      if (!changed) return undefined
      const { update, clocks } = changed
      const { claims } = this.#claimClients(clocks, SERVER)
      this.#owners.recordClaims(claims)
      this.#bytes += update.length
      const edit = this.#createEdit({ update, clocks, claims }, principal, SERVER_SESSION, 0)
      return this.#commit(edit, clocks, null)
    })
  }

  /** A caret goes out behind the letters it was typed with: in one frame with them, and never where nobody else has them yet. */
  receivePresence(member: RoomMember, update: Uint8Array): void {
    this.#receivePresenceBy(member, () => this.#members.receivePresence(member, update))
  }

  receiveCaret(member: RoomMember, cursor: string): void {
    this.#receivePresenceBy(member, () => this.#members.receiveCaret(member, cursor))
  }

  #receivePresenceBy(member: RoomMember, hear: () => Uint8Array | null): void {
    if (!this.members.has(member)) return // what it says would be shown for good
    const presence = refuseOnError('bad-frame', hear)
    this.#containFaultsSilently(() => this.#broadcastPresence(member, presence))
  }

  #broadcastPresence(member: RoomMember, presence: Uint8Array | null): void {
    if (!presence) return
    if (member.client === NO_CLIENT) this.#adoptClientOfPresence(member)
    this.#runAfterEditsOf(member, () => this.#members.broadcastPresence(member, presence))
  }

  /** Behind the edits it speaks of, too: who hears it has them. Never kept: it is about what happens now. */
  receiveTrace(member: RoomMember, to: number, bytes: Uint8Array): void {
    const copy = bytes.slice() // of a frame that may be long
    this.#containFaultsSilently(() =>
      this.#runAfterEditsOf(member, () => this.#members.sendTrace(member, to, copy)),
    )
  }

  /** Many windows ask about one state of the text, so it is worked out once for all of them. */
  computeDigest(): Promise<Uint8Array | null> | null {
    if (!this.#queue.isSettled || this.isFaulty || this.#docReady) return null
    return (this.#currentDigest ??= this.#needsWorker(0)
      ? this.#computeDigestInWorker()
      : this.#computeDigestHere())
  }

  async #computeDigestHere(): Promise<Uint8Array | null> {
    try {
      return await digestOf(this.#doc)
    } catch (error) {
      this.#onFault(error)
      return null
    }
  }

  resendPresence(member: RoomMember): void {
    this.#containFaultsSilently(() => this.#members.resendPresence(member))
  }

  hidePresence(member: RoomMember): void {
    this.#containFaultsSilently(() => this.#members.hidePresence(member))
  }

  leave(member: RoomMember): void {
    const wasMember = this.members.has(member)
    this.#containFaultsSilently(() => this.#members.remove(member))
    if (!wasMember) return
    this.#owners.release(member.client, writerOf(member))
    if (this.members.size === 0) this.#parts.onEmpty()
  }

  /** It may do something else from now on. */
  setRole(member: RoomMember, role: Role): void {
    member.role = role
    if (this.members.has(member) && member.hasState) this.#members.sendRole(member)
  }

  /** Its person is called otherwise from now on. @param color Where they chose another one. */
  setPrincipal(member: RoomMember, principal: Principal, color?: string): void {
    member.principal = principal
    if (!this.members.has(member)) return
    const stamp = { ...presenceIdentityOf(principal), ...(color !== undefined && { color }) }
    this.#containFaultsSilently(() =>
      this.#broadcastPresence(member, this.#members.changeIdentity(member, stamp)),
    )
  }

  evict(member: RoomMember, reason: CloseReason): void {
    if (!this.members.has(member)) return
    this.leave(member)
    try {
      member.subscriber.onEvicted(reason)
    } catch (error) {
      this.#parts.log.error({ document: this.document, err: error }, 'a member was put out, and failed')
    }
  }

  get isCompactionDue(): boolean {
    return this.#logLength.isCompactionDue(this.#text.isLogLargerThanSnapshot)
  }

  /**
   * What is on disk as one update, where making it takes no longer than a commit does: a small text, with nothing of it on its way
   * to the disk. Null elsewhere.
   */
  snapshot(): PartSnapshot | null {
    const isStored = this.#queue.length === 0 && !this.#text.hasUncommitted
    const isWhole =
      this.#text.isDocBuilt &&
      !this.#docReady &&
      this.#logLength.hasOnlyOwnEdits &&
      isStored &&
      !this.isFaulty
    if (!isWhole || this.#text.bytes > QUICK_BYTES) return null
    const state = Y.encodeStateAsUpdate(this.#doc)
    return { state, stateVector: Y.encodeStateVector(this.#text.clocks), sequence: this.#logLength.sequence }
  }

  /** The store has it in the place of all edits up to its sequence; whoever comes is sent it. */
  onCompacted({ state, sequence }: PartSnapshot): void {
    this.#text.onCompacted(state, this.#logLength.recordCompaction(sequence))
    void this.#text.pack()
  }

  onCompactionFailed(): void {
    this.#logLength.recordFailedCompaction()
  }

  /** Resolves when everything accepted is on disk. */
  async whenSettled(): Promise<void> {
    while (this.#docReady) await this.#docReady.then(nextTurn)
    await this.#queue.whenSettled()
  }

  /** Gives up what the store would not take; nobody was told that it was saved. */
  close(): void {
    this.#queue.close()
    this.#pacing.stop()
    this.#members.close()
    this.#text.destroy()
  }

  /** The sum of all edits overstates a text that was typed key by key, so it is measured before anything is refused. */
  #checkSize(bytes: number): void {
    const { limit, detailOf } = this.part === 'desk' ? deskSizeLimit : documentSizeLimit
    if (this.#bytes + bytes > limit && performance.now() - this.#measuredAt > MIN_MEASURE_INTERVAL_MS) {
      this.#bytes = Y.encodeStateAsUpdate(this.#doc).length
      this.#measuredAt = performance.now()
    }
    if (this.#bytes + bytes > limit) throw new RoomRefusal({ code: 'too-large', detail: detailOf(limit) })
  }

  /** Throws where Yjs cannot take in what is stored. */
  get #doc(): Y.Doc {
    this.#integrateDeferred()
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    return this.#text.doc
  }

  /** @throws {RoomRefusal} */
  #check(update: Uint8Array, cost: IntegrationCost, decoded?: DecodedUpdate): CheckedUpdate {
    const doc = (): Y.Doc => cost.excludeTime(() => this.#doc)
    const checked = refuseOnError('bad-update', () => this.#text.check(update, doc, cost, decoded))
    cost.setNewBytes(checked.update.length)
    return checked
  }

  /** @throws {RoomRefusal} */
  #checkAuthors(checked: CheckedUpdate, writer: Principal, cost: IntegrationCost): void {
    const doc = this.#doc
    const check = (): void => checkAuthors(doc, checked, writer, cost)
    this.#chargeFor(writer.id, cost, () => refuseOnError('bad-update', check))
  }

  get #partKey(): string {
    return `${this.document}/${this.part}`
  }

  /** What it takes beyond an honest edit's time is charged to the principal, also where it throws. */
  #chargeFor<Answer>(principal: string, cost: IntegrationCost, run: () => Answer): Answer {
    const before = cost.excessMs
    try {
      return cost.measure(run)
    } catch (error) {
      if (error instanceof RoomRefusal && error.reason.code === 'behind') cost.setNewBytes(0)
      else cost.countAllTime()
      throw error
    } finally {
      this.#parts.budget.charge(principal, this.#partKey, cost.excessMs - before)
    }
  }

  #deferEdit(deferredEdit: DeferredEdit): void {
    this.#text.advanceClocks(deferredEdit.checked.clocks)
    this.#deferredEdits.push(deferredEdit)
  }

  /** Before they are written, and before anybody else looks at the document. */
  #integrateDeferred(): void {
    const waiting = this.#deferredEdits
    if (waiting.length === 0) return
    this.#deferredEdits = []
    if (this.isFaulty)
      return waiting.forEach((deferredEdit) => refuseDeferredEdit(deferredEdit, ROOM_RELOADING))
    const before = waiting.map(({ cost }) => cost.excessMs)
    try {
      this.#text.integrateAll(waiting)
    } catch (error) {
      this.#forgetDeferred(error)
      this.#integrateOneByOne(waiting)
    }
    for (const [index, { cost, queuedCommit }] of waiting.entries())
      if (queuedCommit.author)
        this.#parts.budget.charge(
          queuedCommit.author.principal.id,
          this.#partKey,
          cost.excessMs - before[index]!,
        )
  }

  /** What is to blame is refused, and what its author says behind it: each costs making the document anew. */
  #integrateOneByOne(waiting: readonly DeferredEdit[]): void {
    const blamed = new Set<string | undefined>()
    for (const deferredEdit of waiting) {
      const { checked, queuedCommit } = deferredEdit
      const author = queuedCommit.edit?.principal
      const cost = new IntegrationCost(checked.update.length)
      const takeInAgain = (): void => {
        const again = this.#check(checked.update, cost) // it may build on what was refused
        this.#applyOrRefuse(() => this.#text.integrate(again, cost))
      }
      try {
        if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
        if (blamed.has(author)) throw new RoomRefusal(BEHIND_REFUSED)
        this.#chargeFor(author ?? '', cost, takeInAgain)
      } catch (error) {
        const refusal = toRefusal('bad-update', error)
        refuseDeferredEdit(deferredEdit, refusal.reason)
        if (refusal.reason.code !== 'behind') blamed.add(author)
      }
    }
  }

  /** What throws is refused, and nothing of it stays in the document. */
  #applyOrRefuse<Answer>(run: () => Answer, cost?: IntegrationCost): Answer {
    void this.#doc // where what is stored is at fault, the edit is not
    try {
      return run()
    } catch (error) {
      this.#discardHalfIntegrated(error, cost)
      throw this.isFaulty ? new RoomRefusal(ROOM_RELOADING) : toRefusal('bad-update', error)
    }
  }

  /** A large document is made anew when it is next needed, and whoever is to blame owes the time. */
  #discardHalfIntegrated(cause: unknown, cost?: IntegrationCost): void {
    this.#logRefusal(cause)
    this.#text.discardHalfIntegrated()
    if (this.#text.isDocBuilt) return
    if (this.#text.isLarge) {
      cost?.addTime((BUILD_MS_PER_MIB * this.#text.bytes) / MIB)
      this.#docReady = null
    } else this.#runOrFail(() => void this.#text.doc)
  }

  #forgetDeferred(cause: unknown): void {
    this.#logRefusal(cause)
    this.#runOrFail(() => this.#text.forgetDeferred())
  }

  #logRefusal(cause: unknown): void {
    this.#parts.log.warn({ document: this.document, err: cause }, 'an edit was refused while it was taken in')
  }

  #runOrFail(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** @throws {RoomRefusal} and nothing else. */
  #containFaults<Answer>(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (error instanceof RoomRefusal) throw error
      this.#onFault(error)
      throw new RoomRefusal(ROOM_RELOADING)
    }
  }

  /** For what nobody waits to hear the answer of. */
  #containFaultsSilently(run: () => void): void {
    try {
      this.#containFaults(run)
    } catch {
      // Everybody is told that the document is loaded again.
    }
  }

  /** This copy of the text may no longer be the store's, or what is stored cannot be told. */
  #onFault(cause: unknown): void {
    const { log, onFault } = this.#parts
    log.error({ document: this.document, part: this.part, err: cause }, 'a room failed; it is loaded again')
    if (this.isFaulty) return
    this.isFaulty = true
    for (const member of this.members) this.evict(member, ROOM_RELOADING)
    onFault()
  }

  #onMemberFailed(member: RoomMember, error: unknown): void {
    this.#parts.log.error({ document: this.document, err: error }, 'a member failed, and is put out')
    queueMicrotask(() => this.evict(member, INTERNAL_ERROR)) // the others are being told
  }

  #onMergeFailed(error: unknown): void {
    if (this.#isMergeFailureLogged) return
    this.#isMergeFailureLogged = true
    this.#parts.log.error(
      { document: this.document, err: error },
      'edits cannot be merged; each is told by itself',
    )
  }

  /** @throws {RoomRefusal} `taken` where new structs come under somebody else's client id (A5). Nobody else is on a desk. */
  #claimClients(clocks: Clocks, writer: ClientWriter): Claims {
    return this.part === 'desk' ? NO_CLAIMS : this.#owners.claim(clocks.keys(), writer)
  }

  #announceClient(member: RoomMember, client: number, stateVector: Uint8Array): void {
    if (client === NO_CLIENT || this.part === 'desk') return
    const has = readStateVector(stateVector)?.get(client) ?? 0
    this.#owners.announce(client, writerOf(member), has > (this.#text.clocks.get(client) ?? 0))
  }

  #changeClient(member: RoomMember, client: number, stateVector: Uint8Array = EMPTY_STATE_VECTOR): void {
    this.#announceClient(member, client, stateVector)
    this.#owners.release(member.client, writerOf(member))
    member.client = client
  }

  /** A stock client says nowhere else which id is its own, and its presence tells everybody. */
  #adoptClientOfPresence(member: RoomMember): void {
    const client = this.#members.clientOf(member)
    if (client !== undefined && this.#owners.isFree(client, writerOf(member)))
      this.#changeClient(member, client)
  }

  /** The document's own is random, so somebody may have had it before. */
  #withServerClient(doc: Y.Doc): Y.Doc {
    while (!this.#owners.isFree(doc.clientID, SERVER)) doc.clientID = uint32()
    this.#owners.announce(doc.clientID, SERVER)
    return doc
  }

  #createEdit(
    { update, clocks, claims }: { update: Uint8Array; clocks: Clocks; claims: readonly ClientOwner[] },
    principal: Principal,
    session: string,
    number: number,
  ): DocumentEdit {
    const { document, part } = this
    const clients = [...clocks.keys()]
    return { document, part, update, principal: principal.id, session, number, clients, claims }
  }

  #commit(
    edit: DocumentEdit | null,
    clocks: Clocks,
    author: RoomMember | null,
    queued?: (step: QueuedCommit) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const onCommitted = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
      const onAbandoned = (): void => reject(new RoomRefusal(ROOM_RELOADING))
      const step: QueuedCommit = { edit, clocks, author, refusal: null, onCommitted, onAbandoned }
      queued?.(step)
      this.#enqueue(step)
    })
  }

  /** In a busy room it waits for the next turn even so, and goes with what the others say. */
  #runAfterEditsOf(member: RoomMember, run: () => void): void {
    if (member.uncommittedEdits === 0 && !this.#pacing.isPausing) run()
    else if (this.#queue.length < MAX_QUEUED_FOR_PRESENCE) this.#runAfterQueue(run)
  }

  /** Behind everything that was accepted so far. */
  #runAfterQueue(onCommitted: () => void): void {
    const onAbandoned = (): void => {}
    this.#enqueue({ edit: null, clocks: NO_CLOCKS, author: null, refusal: null, onCommitted, onAbandoned })
  }

  #enqueue(step: QueuedCommit): void {
    if (step.author) step.author.uncommittedEdits += 1
    this.#queue.add(step)
  }

  #createQueue(): AppendQueue<QueuedCommit> {
    const { document, store, log, counts } = this.#parts
    return new AppendQueue({
      document,
      store,
      log,
      counts,
      waitForBatch: (waiting) => this.#pacing.waitForBatch(this.members.size, waiting),
      onBeforeBatch: () => this.#integrateDeferred(),
      onCommitted: (steps, edits, first) => this.#onBatchCommitted(steps, edits, first),
      onFailing: (failing) => this.#members.broadcastStoreStatus(failing),
      onFault: (error, steps) => {
        this.#onFault(error)
        for (const queuedCommit of steps) queuedCommit.onAbandoned()
      },
    })
  }

  #onBatchCommitted(steps: readonly QueuedCommit[], edits: readonly DocumentEdit[], first: number): void {
    this.#currentDigest = null
    if (edits.length > 0) this.#logLength.recordAppend(first, edits.length)
    for (const step of steps) this.#afterCommit(step)
    this.#members.flush()
    if (edits.length > 0) this.#parts.onCommitted(this, edits)
  }

  #afterCommit({ edit, clocks, author, refusal, onCommitted }: QueuedCommit): void {
    if (author) author.uncommittedEdits -= 1
    if (edit) {
      this.#text.onCommitted(edit.update)
      this.#members.addEdit({ update: edit.update, clocks, author })
    }
    onCommitted(refusal)
  }

  #sendState(member: RoomMember, stateVector: Uint8Array): void {
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    if (readStateVector(stateVector)?.size && this.#needsWorker(this.missingBytesFor(stateVector)))
      return this.#sendDifference(member, new Uint8Array(stateVector))
    const state = this.#stateFor(stateVector)
    this.#runAfterQueue(() => this.#members.sendState(member, state))
  }

  // Large texts: what would keep everybody else waiting is worked out in a thread.

  /** @param bytes How many are to be told. */
  #needsWorker(bytes: number): boolean {
    return (
      this.#docReady !== null || (this.#text.isLarge && (!this.#text.isDocBuilt || bytes > LARGE_TEXT_BYTES))
    )
  }

  /** Of what is on disk when all that is queued now is. */
  #sendDifference(member: RoomMember, theirs: Uint8Array): void {
    const tell = (updates: readonly Uint8Array[]): void =>
      this.#members.sendState(member, () => ({ updates, stateVector: this.#members.stateVector }))
    this.#runAfterQueue(() => void this.#computeMissing(member, theirs, tell))
  }

  /** Never rejects. What is committed meanwhile is told with it. */
  async #computeMissing(
    member: RoomMember,
    theirs: Uint8Array,
    tell: (updates: readonly Uint8Array[]) => void,
  ): Promise<void> {
    try {
      for (let later: Uint8Array[] | null = null; later === null;) {
        const mark = this.#text.storedPosition
        const update = await this.#parts.textWorkers.difference(
          this.document,
          this.#text.stored,
          theirs.slice(),
        )
        later = this.#text.storedSince(mark)
        if (later) this.#containFaultsSilently(tell.bind(null, [update, ...later]))
      }
    } catch (error) {
      this.#parts.log.error({ document: this.document, err: error }, 'a state could not be worked out')
      this.evict(member, STATE_UNREADABLE)
    }
  }

  /** Never rejects; null where it was not found. */
  async #computeDigestInWorker(): Promise<Uint8Array | null> {
    try {
      return await this.#parts.textWorkers.digest(this.document, this.#text.stored)
    } catch (error) {
      this.#parts.log.warn({ document: this.document, err: error }, 'a digest could not be worked out')
      return null
    }
  }

  /**
   * Null where the document is there whole, or is small enough to be made at once. Never rejects: where it could not be made, the room
   * is at fault.
   */
  #ensureDoc(): Promise<void> | null {
    if (!this.#docReady && this.#text.isLarge && !this.#text.isDocBuilt) this.#holdDocFor(this.#buildDoc())
    return this.#docReady
  }

  /** Of those who wait, each goes on in the order of their coming, and may have the others wait again. */
  async #waitForDoc(): Promise<void> {
    let passed: Promise<void> | null = null
    for (let gate = this.#ensureDoc(); gate !== passed; gate = this.#ensureDoc()) {
      await gate
      passed = gate
    }
  }

  #holdDocFor(work: Promise<unknown>): void {
    const gate = work.then(doNothing, doNothing)
    this.#docReady = gate
    // Nobody overtakes those who wait for it: they go on before the next turn.
    void gate.then(nextTurn).then(() => {
      if (this.#docReady === gate) this.#docReady = null
    })
  }

  /** Who leaves meanwhile has said it all the same. */
  #holdDocForEditOf(member: RoomMember, work: Promise<unknown>): void {
    member.uncommittedEdits += 1
    this.#holdDocFor(work.finally(() => (member.uncommittedEdits -= 1)))
  }

  async #buildDoc(): Promise<void> {
    try {
      // What was taken in and is not on disk yet comes out of the store with the rest.
      if (this.#text.hasUncommitted) await this.#queue.whenSettled()
      await this.#text.buildDocFrom(await this.#parts.textWorkers.pieces(this.document, this.#text.stored))
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** An edit that waits; who leaves meanwhile has said it all the same. */
  async #waitForDocToWrite(member: RoomMember): Promise<void> {
    member.uncommittedEdits += 1
    await this.#waitForDoc()
    member.uncommittedEdits -= 1
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
  }

  /** What whoever has this state vector lacks, to be asked for once the queue as it stands is on disk. */
  #stateFor(theirs: Uint8Array): () => FirstState {
    const clocks = readStateVector(theirs)
    if (!clocks) throw new RoomRefusal(NO_STATE_VECTOR)
    if (clocks.size === 0) return () => this.#storedState()
    const doc = this.#doc
    const updates = [Y.encodeStateAsUpdate(doc, new Uint8Array(theirs))]
    const stateVector = Y.encodeStateVector(doc)
    return () => ({ updates, stateVector })
  }

  #storedState(): FirstState {
    const { stored: updates, packed } = this.#text
    return { updates, stateVector: this.#members.stateVector, ...(packed && { packed }) }
  }
}

const doNothing = (): void => {}

const writerOf = ({ principal, session }: RoomMember): ClientWriter => ({
  principal: principal.id,
  session: principal.token === undefined ? undefined : session,
})

function refuseDeferredEdit({ queuedCommit, undo }: DeferredEdit, reason: CloseReason): void {
  undo()
  queuedCommit.edit = null
  queuedCommit.refusal = new RoomRefusal(reason)
}

/** Whatever it throws is the sender's doing. @throws {RoomRefusal} */
function refuseOnError<Answer>(code: CloseCode, run: () => Answer): Answer {
  try {
    return run()
  } catch (error) {
    throw toRefusal(code, error)
  }
}

const toRefusal = (code: CloseCode, error: unknown): RoomRefusal =>
  error instanceof RoomRefusal ? error : new RoomRefusal({ code, detail: String(error) })

function readStateVector(bytes: Uint8Array): Map<number, number> | null {
  try {
    return Y.decodeStateVector(new Uint8Array(bytes))
  } catch {
    return null // who enters with it is told so
  }
}
