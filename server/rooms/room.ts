/**
 * One part of one document in memory. An edit is checked, applied, committed, and only then seen by anybody else (D1):
 *
 *   receive ─▶ check ─▶ apply ─▶ queue ─▶ one append per batch ─▶ broadcast to the others, saved for its author
 *
 * The Y.Doc runs ahead of the disk by the queue, so a new member gets its first state only when the queue of that moment is on
 * disk. A member that has nothing yet gets the stored bytes unchanged, which needs no Y.Doc.
 *
 * A room throws nothing but refusals (A7). An edit that breaks Yjs is refused, and the Y.Doc is built again. A member that throws
 * is evicted. Anything else is a fault of the room: it evicts everybody, they join again, and the room is loaded again.
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
import type { Fanout } from '../fanout/fanout.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'
import { windowOf } from '../sessions/session-ids.ts'
import type { PartSnapshot } from '../store/compaction.ts'
import {
  AppendConflict,
  type ClientOwner,
  type ClientRun,
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
import type { ReservationQuestions } from './reservation-questions.ts'
import { RemoteRooms, type RemoteRoomsHandlers } from './remote-rooms.ts'
import type { RemoteEdit } from './remote-edits.ts'
import { RoomFanout } from './room-fanout.ts'
import { nextTurn } from './run-steps.ts'
import { type DecodedUpdate, readUpdateInSteps } from './read-update.ts'
import { presenceIdentityOf } from './room-presence.ts'
import { RoomRefusal } from './rooms.ts'
import { decodedBytesOf, LARGE_TEXT_BYTES, RoomText } from './room-text.ts'
import { firstLettersOf } from './first-letters.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

const NO_CLOCKS: Clocks = new Map()
const NO_RUNS: ClientRun[] = []
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
/** What a conflict costs its writers: a few in a row are refused for a while. */
const CONFLICT_MS = 500
/** While the store hangs, presence is not worth more memory than this. */
const MAX_QUEUED_FOR_PRESENCE = 1_000
/** Stands for a session's id in the server's own edits. */
export const SERVER_SESSION = 'server'
/** The list of documents shows fewer. */
const MAX_TITLE_LETTERS = 4_000
/** Encoding this many bytes takes a few milliseconds at most. */
const QUICK_BYTES = 64 * 1024
/** A text at its limit is measured whole, but at most this often. */
const MIN_MEASURE_INTERVAL_MS = 10_000
const MIB = 1024 * 1024
/** A shorter edit is decoded in one go, which takes some 10 ms at most. */
const LONG_EDIT_BYTES = 64 * 1024
/** Building the Y.Doc of a large text takes about this long. */
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
  /** Decodes large texts. */
  readonly textWorkers: TextWorkerPool
  readonly budget: IntegrationBudget
  readonly clientIds: ClientIdBudget
  /** Called after each commit, with the committed edits. */
  onCommitted(room: Room, edits: readonly DocumentEdit[]): void
  onEmpty(): void
  /** Called once, when everybody is evicted: the room is to be closed once it is settled. */
  onFault(): void
  /** Set where other nodes may have the same document open. */
  readonly fanout?: Fanout | undefined
  /** This node's name. */
  readonly node?: string | undefined
  readonly reservationQuestions?: ReservationQuestions | null
  /** Called after edits of another node were taken in. */
  onRemoteEdits?(): void
  /** Called once, when what other nodes wrote cannot be read edit by edit: everybody is evicted, and the room is to be loaded again. */
  onOutdated?(): void
  /** The time at which the store was restored from a backup; null if it never was. */
  readonly restoredAt?: number | null
  /** How many edits make a compaction due; by default 500. */
  readonly compactAfterEdits?: number | undefined
  /** Called when an edit is on disk that brought back other people's text, which the restore had lost. */
  onRecovered?(room: Room): void
}

/** What stands in the append queue: an edit, or a callback that waits for the entries before it. */
interface CommitEntry {
  /** Null if the entry brings no edit of this node, or if that was refused meanwhile. */
  edit: DocumentEdit | null
  /** An edit of another node, which is on disk already and waits for its turn to be broadcast. */
  readonly remote?: RemoteEdit
  /** The document's clocks after the edit. */
  readonly clocks: Clocks
  readonly author: RoomMember | null
  refusal: RoomRefusal | null
  /** Called in the order of the commits, in the same turn as the broadcasts around it. */
  onCommitted(refusal: RoomRefusal | null): void
  /** Called when the room is at fault: the edit may be on disk or not, and nobody learns which. */
  onAbandoned(): void
}

/** An edit that is checked, and not in the Y.Doc yet. */
interface AdmittedEdit {
  readonly member: RoomMember
  readonly edit: DocumentEdit
  readonly checked: CheckedUpdate
  readonly cost: IntegrationCost
  /** Takes back what was recorded for the edit, if it is refused. */
  readonly undo: () => void
}

/** An edit of a busy room that is queued, and not in the Y.Doc yet. */
interface DeferredEdit extends Pick<AdmittedEdit, 'checked' | 'cost' | 'undo'> {
  readonly entry: CommitEntry
}

export class Room {
  readonly document: string
  readonly part: DocumentPart
  readonly #options: RoomOptions
  readonly #text: RoomText
  readonly #members: RoomMembers
  readonly #owners: ClientOwners
  readonly #logLength: LogLength
  /** Sends to other nodes; null on the only one. */
  readonly #fanout: RoomFanout | null
  /** Receives from other nodes. */
  readonly #remoteRooms: RemoteRooms
  readonly #pacing = new BatchPacing()
  readonly #queue: AppendQueue<CommitEntry>
  #deferredEdits: DeferredEdit[] = []
  #currentDigest: Promise<Uint8Array | null> | null = null
  /** Until it resolves, the Y.Doc is not built yet or holds part of an edit: whoever needs the Y.Doc waits. */
  #docReady: Promise<void> | null = null
  /** An upper bound of the encoded document's length. */
  #bytes: number
  #measuredAt = -Infinity
  #isMergeFailureLogged = false
  /** If true, the room is to be closed once it is settled, and loaded again. */
  isFaulty = false

  private constructor(
    options: RoomOptions,
    loaded: LoadedPart,
    fanout: RoomFanout | null,
    stateVector?: Uint8Array,
  ) {
    this.#options = options
    this.#fanout = fanout
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
      onPresenceSent: (member, update) => fanout?.publishPresence(member, update),
      onPresenceHidden: (member) => fanout?.publishLeft(member),
    })
    this.#logLength = new LogLength(loaded, options.compactAfterEdits)
    this.#owners = new ClientOwners(loaded, options.restoredAt, fanout?.reservations)
    this.#bytes = this.#text.bytes
    this.#remoteRooms = new RemoteRooms(
      { ...options, fanout, logLength: this.#logLength, members: this.#members },
      this.#remoteRoomsHandlers,
    )
  }

  /** @throws {StoreError} An unreadable document never becomes an empty room (D4). */
  static async load(options: RoomOptions): Promise<Room> {
    const { store, document, part, textWorkers } = options
    // The subscription comes first, so that what is committed while the part is loaded arrives.
    const fanout = options.fanout
      ? new RoomFanout(
          options.fanout,
          options.node ?? '',
          `${document}/${part}`,
          options.reservationQuestions,
        )
      : null
    try {
      await fanout?.whenReady()
      const loaded = await store.load(document, part)
      const isLarge = decodedBytesOf(loaded) > LARGE_TEXT_BYTES
      const stateVector = isLarge ? await textWorkers.stateVector(document, loaded) : undefined
      const room = new Room(options, loaded, fanout, stateVector)
      await room.#text.pack()
      await fanout?.whenAnswered()
      room.#remoteRooms.connect()
      return room
    } catch (error) {
      fanout?.close()
      throw error
    }
  }

  /** Reads the beginning of the title. @throws {RoomRefusal} if the text is at fault. */
  async readTitle(): Promise<string> {
    await this.#waitForDoc()
    return firstLettersOf(this.#doc.getText('title'), MAX_TITLE_LETTERS)
  }

  get members(): ReadonlySet<RoomMember> {
    return this.#members.all
  }

  /** @throws {RoomRefusal} `taken` if the member announces somebody else's client id (A5). */
  join(member: RoomMember, stateVector: Uint8Array): void {
    this.#containFaults(() => {
      if (!readStateVector(stateVector)) throw new RoomRefusal(NO_STATE_VECTOR) // before anything is stored for the member
      this.#announceClient(member, member.client, stateVector)
      this.#sendState(member, stateVector)
      this.#members.add(member)
      if (this.#queue.isFailing) member.subscriber.onStoreStatus(true)
    })
  }

  /** @param client The Yjs client id that the member writes under from now on. @throws {RoomRefusal} */
  resync(member: RoomMember, stateVector: Uint8Array, client: number): void {
    this.#containFaults(() => {
      if (!this.members.has(member)) return
      if (client !== member.client) this.#changeClient(member, client, stateVector)
      this.#sendState(member, stateVector)
    })
  }

  /** About how many bytes are missing at this state vector; 0 if it cannot be decoded. */
  missingBytesFor(stateVector: Uint8Array): number {
    const memberClocks = readStateVector(stateVector)
    return memberClocks ? Math.ceil(this.#text.bytes * this.#members.missingShareOf(memberClocks)) : 0
  }

  lagBytesOf({ lagStateVector }: RoomMember): number {
    return lagStateVector ? this.missingBytesFor(lagStateVector) : 0
  }

  /** Encodes what the member missed from the document as it is now, and sends it once the present queue is on disk (D1). */
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

  /** Resolves after the commit. @throws {RoomRefusal} and then nothing was stored. */
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
    if (recovers) this.#options.onRecovered?.(this)
  }

  /** Decodes a long edit with turns for other work in between, in which the document's other edits wait. @throws {RoomRefusal} */
  #decodeInSteps(member: RoomMember, update: Uint8Array, cost: IntegrationCost): Promise<DecodedUpdate> {
    const { id } = member.principal
    this.#containFaults(() => this.#admitEdit(id, update.length))
    const steps = readUpdateInSteps(update, cost)
    const reading = this.#runInSteps(() => this.#chargeFor(id, cost, () => steps.next()))
    this.#holdDocForEditOf(member, reading)
    return reading
  }

  /** Checks budget and size before anything is read. @throws {RoomRefusal} */
  #admitEdit(principal: string, bytes: number): void {
    this.#options.budget.admit(principal, this.#partKey)
    this.#checkSize(bytes)
  }

  /** Resolves once the edit is on disk: true if it brought back what others wrote. */
  #acceptEdit(
    member: RoomMember,
    update: Uint8Array,
    number: number,
    cost: IntegrationCost,
    decoded?: DecodedUpdate,
  ): Promise<boolean> {
    const { id } = member.principal
    this.#admitEdit(id, update.length)
    // The authors are looked up in the Y.Doc, which has to be as far as the clocks that the edit is checked against.
    if (this.part === 'comments') void this.#doc
    const checked = this.#chargeFor(id, cost, () => this.#check(update, cost, decoded))
    const { claims, recovers } = this.#claimClients(checked.clocks, writerOf(member))
    this.#options.clientIds.admit(id, this.#partKey, claims.length)
    // Text that a restored store lost keeps its own authors.
    if (this.part === 'comments' && !recovers) this.#checkAuthors(checked, member.principal, cost)
    this.#options.counts.edits += 1
    const edit = this.#createEdit({ ...checked, claims }, member.principal, member.session, number)
    const undoClaims = this.#owners.recordClaims(claims)
    const undo = (): void => {
      undoClaims()
      this.#bytes -= update.length
    }
    this.#bytes += update.length
    const admitted: AdmittedEdit = { member, edit, checked, cost, undo }
    const done = this.#integrateAndCommit(admitted)
    this.#options.clientIds.charge(id, this.#partKey, claims.length)
    return done.then(() => recovers)
  }

  /** In a busy room the edit is integrated later, with the edits of others; a long one gives other work turns in between. */
  #integrateAndCommit(admitted: AdmittedEdit): Promise<void> {
    const { checked, cost, member, undo } = admitted
    if (pauseMsFor(this.members.size) > 0 && this.#text.mayDefer(checked))
      return this.#commitAdmitted(admitted, true, (entry) => this.#deferEdit({ checked, cost, entry, undo }))
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

  #integrationStepsOf({ checked, cost, member }: AdmittedEdit): () => IteratorResult<undefined, boolean> {
    const steps = this.#text.integrateInSteps(checked, cost)
    const nextStep = (): IteratorResult<undefined, boolean> => {
      cost.excludeTime(() => void this.#doc) // the getter integrates the deferred edits first
      const step = this.#applyOrRefuse(() => steps.next(), cost)
      if (step.done && !step.value) cost.setNewBytes(0)
      return step
    }
    return () => this.#chargeFor(member.principal.id, cost, nextStep)
  }

  /** Runs one step a turn. @throws {RoomRefusal} if the room fails meanwhile, and whatever a step throws. */
  async #runInSteps<Answer>(nextStep: () => IteratorResult<undefined, Answer>): Promise<Answer> {
    for (;;) {
      await nextTurn()
      if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
      const step = nextStep()
      if (step.done) return step.value
    }
  }

  /** @param isNew False if all of the edit is already known; its source may still be queued, so the author waits for the queue. */
  #commitAdmitted(
    { member, edit, checked }: AdmittedEdit,
    isNew: boolean,
    onEntry?: (entry: CommitEntry) => void,
  ): Promise<void> {
    return this.#commit(isNew ? edit : null, checked.clocks, member, onEntry)
  }

  /** Makes an edit of the server's own and broadcasts it to everybody. Resolves after the commit. */
  async applyServerEdit(principal: Principal, run: (doc: Y.Doc) => void): Promise<void> {
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    if (this.#ensureDoc()) await this.#waitForDoc()
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    return this.#containFaults(() => {
      const changed = this.#applyOrRefuse(() =>
        this.#text.changeDoc((doc) => run(this.#withServerClient(doc))),
      )
      if (!changed) return undefined
      const { update, clocks, from } = changed
      const { claims } = this.#claimClients(clocks, SERVER)
      this.#owners.recordClaims(claims)
      this.#bytes += update.length
      const edit = this.#createEdit({ update, clocks, claims }, principal, SERVER_SESSION, 0, from)
      return this.#commit(edit, clocks, null)
    })
  }

  /** A caret is sent behind the letters it was typed with, in one frame with them, and never before the others have them. */
  receivePresence(member: RoomMember, update: Uint8Array): void {
    this.#receivePresenceBy(member, () => this.#members.receivePresence(member, update))
  }

  receiveCaret(member: RoomMember, cursor: string): void {
    this.#receivePresenceBy(member, () => this.#members.receiveCaret(member, cursor))
  }

  #receivePresenceBy(member: RoomMember, receive: () => Uint8Array | null): void {
    if (!this.members.has(member)) return // nothing would ever remove its presence
    const presence = refuseOnError('bad-frame', receive)
    this.#containFaultsSilently(() => this.#broadcastPresence(member, presence))
  }

  #broadcastPresence(member: RoomMember, presence: Uint8Array | null): void {
    if (!presence) return
    if (member.client === NO_CLIENT) this.#adoptClientOfPresence(member)
    this.#runAfterEditsOf(member, () => this.#members.broadcastPresence(member, presence))
  }

  /** A trace too is sent behind the edits it is about, so its reader has them. It is never stored: it is about the moment. */
  receiveTrace(member: RoomMember, to: number, bytes: Uint8Array): void {
    const copy = bytes.slice() // not a view, which would keep a frame that may be long
    this.#containFaultsSilently(() =>
      this.#runAfterEditsOf(member, () =>
        this.#members.sendTrace(member, to, copy, (from) => this.#fanout?.publishTrace(from, to, copy)),
      ),
    )
  }

  /** Many windows ask for the digest of one state of the text, so it is computed once for all of them. */
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
    if (this.members.size === 0) this.#options.onEmpty()
  }

  setRole(member: RoomMember, role: Role): void {
    member.role = role
    if (this.members.has(member) && member.hasState) this.#members.sendRole(member)
  }

  /** Changes the name that the member's person goes by. @param color Their new colour, if they chose one. */
  setPrincipal(member: RoomMember, principal: Principal, color?: string): void {
    member.principal = principal
    if (!this.members.has(member)) return
    const identity = { ...presenceIdentityOf(principal), ...(color !== undefined && { color }) }
    this.#containFaultsSilently(() =>
      this.#broadcastPresence(member, this.#members.changeIdentity(member, identity)),
    )
  }

  evict(member: RoomMember, reason: CloseReason): void {
    if (!this.members.has(member)) return
    this.leave(member)
    try {
      member.subscriber.onEvicted(reason)
    } catch (error) {
      const { session } = member
      this.#options.log.error(
        { document: this.document, session, err: error },
        'a member was put out, and failed',
      )
    }
  }

  /** How many edits, and things that are to be sent behind them, wait for the next batch. */
  get queueLength(): number {
    return this.#queue.length
  }

  get isCompactionDue(): boolean {
    return this.#logLength.isCompactionDue(this.#text.isLogLargerThanSnapshot)
  }

  /**
   * Returns what is on disk as one update, if encoding takes no longer than a commit: the text is small, and nothing of it is on
   * its way to the disk. Otherwise null.
   */
  snapshot(): PartSnapshot | null {
    const isStored = this.#queue.length === 0 && !this.#text.hasUncommitted
    const isWhole =
      this.#text.isDocBuilt && !this.#docReady && !this.#logLength.hasGap && isStored && !this.isFaulty
    if (!isWhole || this.#text.bytes > QUICK_BYTES) return null
    const state = Y.encodeStateAsUpdate(this.#doc)
    return { state, stateVector: Y.encodeStateVector(this.#text.clocks), sequence: this.#logLength.sequence }
  }

  /** The store now has the snapshot in place of all edits up to its sequence number; new members get the snapshot. */
  onCompacted({ state, sequence }: PartSnapshot): void {
    this.#onSnapshot(state, sequence)
    this.#fanout?.publishCompaction(sequence)
  }

  #onSnapshot(state: Uint8Array, sequence: number): void {
    if (sequence <= this.#logLength.snapshotEnd) return // another node's came first
    this.#logLength.recordCompaction(sequence)
    this.#text.onCompacted(state, sequence)
    void this.#text.pack()
  }

  onCompactionFailed(): void {
    this.#logLength.recordFailedCompaction()
  }

  /** Resolves when every accepted edit is on disk. */
  async whenSettled(): Promise<void> {
    while (this.#docReady) await this.#docReady.then(nextTurn)
    await this.#queue.whenSettled()
  }

  /** Gives up what the store did not take; nobody received `saved` for it. */
  close(): void {
    this.#remoteRooms.close()
    this.#fanout?.close()
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

  /** Throws if Yjs cannot apply what is stored. */
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

  /** Charges the principal for the time beyond that of an honest edit, also if `run` throws. */
  #chargeFor<Answer>(principal: string, cost: IntegrationCost, run: () => Answer): Answer {
    const before = cost.excessMs
    try {
      return cost.measure(run)
    } catch (error) {
      if (error instanceof RoomRefusal && error.reason.code === 'behind') cost.setNewBytes(0)
      else cost.countAllTime()
      throw error
    } finally {
      this.#options.budget.charge(principal, this.#partKey, cost.excessMs - before)
    }
  }

  #deferEdit(deferredEdit: DeferredEdit): void {
    this.#text.advanceClocks(deferredEdit.checked.clocks)
    this.#deferredEdits.push(deferredEdit)
  }

  /** Called before the deferred edits are appended, and before any other use of the Y.Doc. */
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
    for (const [index, { cost, entry }] of waiting.entries()) {
      const writer = entry.author?.principal.id
      if (writer) this.#options.budget.charge(writer, this.#partKey, cost.excessMs - before[index]!)
    }
  }

  /** Refuses the edit that is to blame and its author's later edits, since each failure costs a new build of the Y.Doc. */
  #integrateOneByOne(waiting: readonly DeferredEdit[]): void {
    const blamed = new Set<string | undefined>()
    for (const deferredEdit of waiting) {
      const { checked, entry } = deferredEdit
      const author = entry.edit?.principal
      const cost = new IntegrationCost(checked.update.length)
      const integrateAgain = (): void => {
        const again = this.#check(checked.update, cost) // it may build on what was refused
        this.#applyOrRefuse(() => this.#text.integrate(again, cost))
      }
      try {
        if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
        if (blamed.has(author)) throw new RoomRefusal(BEHIND_REFUSED)
        this.#chargeFor(author ?? '', cost, integrateAgain)
      } catch (error) {
        const refusal = toRefusal('bad-update', error)
        refuseDeferredEdit(deferredEdit, refusal.reason)
        if (refusal.reason.code !== 'behind') blamed.add(author)
      }
    }
  }

  /** Refuses an edit that throws, and leaves nothing of it in the Y.Doc. */
  #applyOrRefuse<Answer>(run: () => Answer, cost?: IntegrationCost): Answer {
    void this.#doc // a fault of the stored text is thrown here, and not blamed on the edit
    try {
      return run()
    } catch (error) {
      this.#discardHalfIntegrated(error, cost)
      throw this.isFaulty ? new RoomRefusal(ROOM_RELOADING) : toRefusal('bad-update', error)
    }
  }

  get #buildMs(): number {
    return (BUILD_MS_PER_MIB * this.#text.bytes) / MIB
  }

  /** A large Y.Doc is built again when it is next needed, and the time is charged to whoever is to blame. */
  #discardHalfIntegrated(cause: unknown, cost?: IntegrationCost): void {
    this.#logRefusal(cause)
    this.#text.discardHalfIntegrated()
    if (this.#text.isDocBuilt) return
    if (this.#text.isLarge) {
      cost?.addTime(this.#buildMs)
      this.#docReady = null
    } else this.#runOrFail(() => void this.#text.doc)
  }

  #forgetDeferred(cause: unknown): void {
    this.#logRefusal(cause)
    this.#runOrFail(() => this.#text.forgetDeferred())
  }

  #logRefusal(cause: unknown): void {
    this.#options.log.warn(
      { document: this.document, err: cause },
      'an edit was refused while it was taken in',
    )
  }

  #runOrFail(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** @throws {RoomRefusal} Nothing else is thrown. */
  #containFaults<Answer>(run: () => Answer): Answer {
    try {
      return run()
    } catch (error) {
      if (error instanceof RoomRefusal) throw error
      this.#onFault(error)
      throw new RoomRefusal(ROOM_RELOADING)
    }
  }

  /** The same, for calls whose answer nobody waits for. */
  #containFaultsSilently(run: () => void): void {
    try {
      this.#containFaults(run)
    } catch {
      // A fault evicts everybody with the reason that the document is loaded again.
    }
  }

  /** The text in memory may differ from the store's, or what is stored cannot be read. */
  #onFault(cause: unknown): void {
    const { log, onFault } = this.#options
    log.error({ document: this.document, part: this.part, err: cause }, 'a room failed; it is loaded again')
    if (this.isFaulty) return
    this.isFaulty = true
    for (const member of this.members) this.evict(member, ROOM_RELOADING)
    onFault()
  }

  #onMemberFailed(member: RoomMember, error: unknown): void {
    const { session } = member
    this.#options.log.error(
      { document: this.document, session, err: error },
      'a member failed, and is put out',
    )
    queueMicrotask(() => this.evict(member, INTERNAL_ERROR)) // a broadcast to the others is under way
  }

  #onMergeFailed(error: unknown): void {
    if (this.#isMergeFailureLogged) return
    this.#isMergeFailureLogged = true
    this.#options.log.error(
      { document: this.document, err: error },
      'edits cannot be merged; each is broadcast by itself',
    )
  }

  /** @throws {RoomRefusal} `taken` if new structs come under somebody else's client id (A5). A desk has one person, so no claims. */
  #claimClients(clocks: Clocks, writer: ClientWriter): Claims {
    return this.part === 'desk' ? NO_CLAIMS : this.#owners.claim(clocks.keys(), writer)
  }

  #announceClient(member: RoomMember, client: number, stateVector: Uint8Array): void {
    if (client === NO_CLIENT || this.part === 'desk') return
    const memberClock = readStateVector(stateVector)?.get(client) ?? 0
    this.#owners.announce(client, writerOf(member), memberClock > (this.#text.clocks.get(client) ?? 0))
  }

  #changeClient(member: RoomMember, client: number, stateVector: Uint8Array = EMPTY_STATE_VECTOR): void {
    this.#announceClient(member, client, stateVector)
    this.#owners.release(member.client, writerOf(member))
    member.client = client
  }

  /** A stock client shows its own client id nowhere but in its presence. */
  #adoptClientOfPresence(member: RoomMember): void {
    const client = this.#members.clientOf(member)
    if (client !== undefined && this.#owners.isFree(client, writerOf(member)))
      this.#changeClient(member, client)
  }

  /** The Y.Doc's client id is random, so somebody may have used it before. */
  #withServerClient(doc: Y.Doc): Y.Doc {
    while (!this.#owners.isFree(doc.clientID, SERVER)) doc.clientID = uint32()
    this.#owners.announce(doc.clientID, SERVER)
    return doc
  }

  /** @param from The document's clocks before the edit. */
  #createEdit(
    { update, clocks, claims }: { update: Uint8Array; clocks: Clocks; claims: readonly ClientOwner[] },
    principal: Principal,
    session: string,
    number: number,
    from: Clocks = this.#text.clocks,
  ): DocumentEdit {
    const { document, part } = this
    const clients = [...clocks.keys()]
    const runs = this.#runsOf(clocks, from)
    return { document, part, update, principal: principal.id, session, number, clients, claims, runs }
  }

  /** A desk has one person, and its ids no owners, so nothing is compared there. */
  #runsOf(to: Clocks, from: Clocks): ClientRun[] {
    if (!this.#fanout || this.part === 'desk') return NO_RUNS
    return Array.from(to, ([client, clock]) => ({ client, from: from.get(client) ?? 0, to: clock }))
  }

  #commit(
    edit: DocumentEdit | null,
    clocks: Clocks,
    author: RoomMember | null,
    onEntry?: (entry: CommitEntry) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const onCommitted = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
      const onAbandoned = (): void => reject(new RoomRefusal(ROOM_RELOADING))
      const entry: CommitEntry = { edit, clocks, author, refusal: null, onCommitted, onAbandoned }
      onEntry?.(entry)
      this.#enqueue(entry)
    })
  }

  /** In a busy room `run` waits for the next batch even if the member has no edits there, and is sent with the others' edits. */
  #runAfterEditsOf(member: RoomMember, run: () => void): void {
    if (member.uncommittedEdits === 0 && !this.#pacing.isPausing) run()
    else if (this.#queue.length < MAX_QUEUED_FOR_PRESENCE) this.#runAfterQueue(run)
  }

  /** Runs the callback behind everything that was accepted so far. */
  #runAfterQueue(onCommitted: () => void): void {
    this.#enqueue({ ...WAITING_ENTRY, onCommitted })
  }

  #enqueue(entry: CommitEntry): void {
    if (entry.author) entry.author.uncommittedEdits += 1
    this.#queue.add(entry)
  }

  #createQueue(): AppendQueue<CommitEntry> {
    const { document, store, log, counts } = this.#options
    return new AppendQueue({
      document,
      store,
      log,
      counts,
      waitForBatch: (waiting) => this.#pacing.waitForBatch(this.members.size, waiting),
      onBeforeBatch: () => this.#integrateDeferred(),
      onCommitted: (entries, edits, first) => this.#onBatchCommitted(entries, edits, first),
      onFailing: (failing) => this.#members.broadcastStoreStatus(failing),
      onFault: (error, entries) => {
        if (error instanceof AppendConflict) this.#onConflict(error, entries)
        else this.#onFault(error)
        for (const entry of entries) entry.onAbandoned()
      },
    })
  }

  #onBatchCommitted(entries: readonly CommitEntry[], edits: readonly DocumentEdit[], first: number): void {
    this.#currentDigest = null
    if (edits.length > 0) {
      this.#logLength.record(first, edits.length)
      // Before the presence that may be among the entries.
      this.#fanout?.publishEdits(first, edits)
    }
    let sequence = first
    for (const entry of entries) this.#afterCommit(entry, entry.edit ? sequence++ : 0)
    this.#members.flush()
    if (edits.length === 0) return
    this.#options.onCommitted(this, edits)
    this.#remoteRooms.onOwnAppend()
  }

  #afterCommit({ edit, remote, clocks, author, refusal, onCommitted }: CommitEntry, sequence: number): void {
    if (author) author.uncommittedEdits -= 1
    const stored = remote ?? (edit && { update: edit.update, sequence })
    if (stored) {
      this.#text.onCommitted(stored.update, stored.sequence)
      this.#members.addEdit({ update: stored.update, clocks, author })
    }
    onCommitted(refusal)
  }

  // Other nodes

  /** The members of a node that is gone are gone. */
  removeNode(node: string): void {
    this.#fanout?.removeNode(node)
  }

  /** Resolves when the room has what other nodes stored, if the member's state vector shows that it has more than this room. */
  async catchUpWith(memberStateVector: Uint8Array): Promise<void> {
    if (!this.#fanout) return
    const known = this.#text.clocks
    const memberClocks = readStateVector(memberStateVector) ?? NO_CLOCKS
    if ([...memberClocks].some(([client, clock]) => clock > (known.get(client) ?? 0)))
      await this.#remoteRooms.catchUp()
  }

  get #remoteRoomsHandlers(): RemoteRoomsHandlers {
    return {
      isOwn: (update) => this.#queue.pending.some(({ edit }) => edit && areEqual(edit.update, update)),
      whenFree: () => this.#docReady?.then(nextTurn) ?? null,
      onEdits: (edits) => this.#receiveRemote(edits),
      onOwners: (owners) => this.part !== 'desk' && this.#owners.learn(owners),
      onOutdated: () => this.#onOutdated(),
      wantsSnapshot: () => this.isCompactionDue,
      onSnapshot: (state, sequence) => this.#onSnapshot(state, sequence),
      run: (callback) => this.#containFaultsSilently(callback),
      runBehindQueue: (callback) => {
        const runContained = (): void => this.#containFaultsSilently(callback)
        if (this.#queue.isSettled) runContained()
        else if (this.#queue.length < MAX_QUEUED_FOR_PRESENCE) this.#runAfterQueue(runContained)
      },
    }
  }

  #receiveRemote(edits: readonly RemoteEdit[]): void {
    this.#containFaultsSilently(() => {
      for (const entry of this.#takeInRemote(edits)) this.#enqueue(entry)
    })
    this.#options.onRemoteEdits?.()
  }

  #takeInRemote(edits: readonly RemoteEdit[]): CommitEntry[] {
    this.#integrateDeferred()
    const clocks = this.#text.integrateRemote(edits.map(({ update }) => update))
    return edits.map((remote, index) => {
      this.#bytes += remote.update.length
      if (!this.#logLength.knows(remote.sequence)) this.#logLength.record(remote.sequence, 1)
      return { ...WAITING_ENTRY, remote, clocks: clocks[index]! }
    })
  }

  /** Loads the room again, since what it has and what is stored do not meet edit by edit. This is nobody's fault. */
  #onOutdated(): void {
    if (this.isFaulty) return
    this.#options.log.info(
      { document: this.document, part: this.part },
      'a room is outdated; it is loaded again',
    )
    this.isFaulty = true
    for (const member of this.members) this.evict(member, ROOM_RELOADING)
    this.#options.onOutdated?.()
  }

  /**
   * Another node was first, and nothing of the batch is stored. The room is loaded again: its windows come back with what they have, and
   * each edit is checked against what the log has by then. Whoever wrote under the client ids at stake is charged for it.
   */
  #onConflict({ clients }: AppendConflict, entries: readonly CommitEntry[]): void {
    const atStake = new Set(clients)
    const writers = entries.flatMap(({ edit }) =>
      edit?.clients.some((client) => atStake.has(client)) ? edit.principal : [],
    )
    for (const writer of new Set(writers)) this.#options.budget.charge(writer, this.#partKey, CONFLICT_MS)
    this.#onOutdated()
  }

  #sendState(member: RoomMember, stateVector: Uint8Array): void {
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    if (readStateVector(stateVector)?.size && this.#needsWorker(this.missingBytesFor(stateVector)))
      return this.#sendDifference(member, new Uint8Array(stateVector))
    const state = this.#stateFor(stateVector)
    this.#runAfterQueue(() => this.#members.sendState(member, state))
  }

  // Large texts: work that would keep everybody else waiting is done in a worker thread.

  /** @param bytes How many are to be sent. */
  #needsWorker(bytes: number): boolean {
    return (
      this.#docReady !== null || (this.#text.isLarge && (!this.#text.isDocBuilt || bytes > LARGE_TEXT_BYTES))
    )
  }

  /** Sends what is missing of the text that is on disk once the present queue is. */
  #sendDifference(member: RoomMember, memberStateVector: Uint8Array): void {
    const send = (updates: readonly Uint8Array[]): void =>
      this.#members.sendState(member, () => ({ updates, stateVector: this.#members.stateVector }))
    this.#runAfterQueue(() => void this.#computeMissing(member, memberStateVector, send))
  }

  /** Never rejects. What is committed meanwhile is sent with the difference. */
  async #computeMissing(
    member: RoomMember,
    memberStateVector: Uint8Array,
    send: (updates: readonly Uint8Array[]) => void,
  ): Promise<void> {
    try {
      for (let later: Uint8Array[] | null = null; later === null;) {
        const mark = this.#text.storedPosition
        const update = await this.#options.textWorkers.difference(
          this.document,
          this.#text.stored,
          memberStateVector.slice(),
        )
        later = this.#text.storedSince(mark)
        if (later) this.#containFaultsSilently(send.bind(null, [update, ...later]))
      }
    } catch (error) {
      this.#options.log.error({ document: this.document, err: error }, 'a state could not be worked out')
      this.evict(member, STATE_UNREADABLE)
    }
  }

  /** Never rejects; null if the digest could not be computed. */
  async #computeDigestInWorker(): Promise<Uint8Array | null> {
    try {
      return await this.#options.textWorkers.digest(this.document, this.#text.stored)
    } catch (error) {
      this.#options.log.warn({ document: this.document, err: error }, 'a digest could not be worked out')
      return null
    }
  }

  /**
   * Returns null if the Y.Doc is whole, or small enough to be built at once. The promise never rejects: if the build fails, the
   * room is at fault.
   */
  #ensureDoc(): Promise<void> | null {
    if (!this.#docReady && this.#text.isLarge && !this.#text.isDocBuilt) this.#holdDocFor(this.#buildDoc())
    return this.#docReady
  }

  /** Callers go on in the order of their calls, and each may make those behind it wait again. */
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
    // Nobody overtakes those who wait for it, because they go on before the next turn.
    void gate.then(nextTurn).then(() => {
      if (this.#docReady === gate) this.#docReady = null
    })
  }

  /** Counts the edit as uncommitted meanwhile; a member that leaves does not withdraw it. */
  #holdDocForEditOf(member: RoomMember, work: Promise<unknown>): void {
    member.uncommittedEdits += 1
    this.#holdDocFor(work.finally(() => (member.uncommittedEdits -= 1)))
  }

  async #buildDoc(): Promise<void> {
    try {
      // Edits that are integrated but not on disk yet come out of the store with the rest.
      if (this.#text.hasUncommitted) await this.#queue.whenSettled()
      await this.#text.buildDocFrom(await this.#options.textWorkers.pieces(this.document, this.#text.stored))
    } catch (error) {
      this.#onFault(error)
    }
  }

  /** Counts the waiting edit as uncommitted; a member that leaves meanwhile does not withdraw it. */
  async #waitForDocToWrite(member: RoomMember): Promise<void> {
    member.uncommittedEdits += 1
    await this.#waitForDoc()
    member.uncommittedEdits -= 1
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
  }

  /** Returns a function that yields what is missing at this state vector, to be called once the present queue is on disk. */
  #stateFor(memberStateVector: Uint8Array): () => FirstState {
    const clocks = readStateVector(memberStateVector)
    if (!clocks) throw new RoomRefusal(NO_STATE_VECTOR)
    if (clocks.size === 0) return () => this.#storedState()
    const doc = this.#doc
    const updates = [Y.encodeStateAsUpdate(doc, new Uint8Array(memberStateVector))]
    const stateVector = Y.encodeStateVector(doc)
    return () => ({ updates, stateVector })
  }

  #storedState(): FirstState {
    const { stored: updates, packed } = this.#text
    return { updates, stateVector: this.#members.stateVector, ...(packed && { packed }) }
  }
}

const doNothing = (): void => {}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && Buffer.compare(a, b) === 0

/** Waits for the entries before it, and brings nothing to append. */
const WAITING_ENTRY: CommitEntry = {
  edit: null,
  clocks: NO_CLOCKS,
  author: null,
  refusal: null,
  onCommitted: doNothing,
  onAbandoned: doNothing,
}

const writerOf = ({ principal, session }: RoomMember): ClientWriter => ({
  principal: principal.id,
  window: principal.token === undefined ? undefined : windowOf(session),
})

function refuseDeferredEdit({ entry, undo }: DeferredEdit, reason: CloseReason): void {
  undo()
  entry.edit = null
  entry.refusal = new RoomRefusal(reason)
}

/** Whatever `run` throws is the sender's fault. @throws {RoomRefusal} */
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
    return null // `join` refuses whoever sends it
  }
}
