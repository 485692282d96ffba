/**
 * One part of one document in memory. An edit is checked, applied, committed, and only then seen by anybody else (D1):
 *
 *   receive ─▶ EditReceiver: check, apply ─▶ CommitQueue: one append per batch ─▶ RoomMembers: broadcast to the others
 *                                                                            └▶ saved for its author
 *
 * The Y.Doc runs ahead of the disk by the queue, so what a new member gets of it (StateSender) waits until the queue of that moment is
 * on disk.
 *
 * A room throws nothing but refusals (A7). An edit that breaks Yjs is refused, and the Y.Doc is built again. A member that throws
 * is evicted. Anything else is a fault of the room: it evicts everybody, they join again, and the room is loaded again.
 */
import type { Logger } from 'pino'
import * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { Fanout } from '../fanout/fanout.ts'
import type { Meter } from '../metering/meter.ts'
import {
  broadcastPresenceUnits,
  digestUnits,
  PRICES,
  presenceUnits,
  readPresenceUnits,
} from '../metering/prices.ts'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { RoomStorage } from '../storage/storage-quota.ts'
import type { PartSnapshot, StoredPart } from '../store/compaction.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { TurnLimit } from '../turn-limit.ts'
import {
  AppendConflict,
  type DocumentStore,
  type DocumentEdit,
  type LoadedPart,
  type DocumentPart,
} from '../store/store.ts'
import { RoomMembers, NO_CLIENT, type RoomMember } from './room-members.ts'
import type { Clocks } from './clocks.ts'
import { ClientOwners } from './client-owners.ts'
import type { ClientIdBudget } from './client-id-budget.ts'
import { CommitQueue } from './commit-queue.ts'
import { DocGate } from './doc-gate.ts'
import type { DocumentMemory, MemoryAccount } from './document-memory.ts'
import { EditIntegrator } from './edit-integrator.ts'
import { EditReceiver } from './edit-receiver.ts'
import { LogLength } from './log-length.ts'
import { MemberClientIds } from './member-client-ids.ts'
import type { ReservationQuestions } from './reservation-questions.ts'
import { RemoteEdits } from './remote-edits.ts'
import { RemoteRooms, type RemoteRoomsHandlers } from './remote-rooms.ts'
import type { RemoteEdit } from './log-follower.ts'
import { refuseOnError, ROOM_RELOADING, RoomFaults } from './room-faults.ts'
import { RoomFanout } from './room-fanout.ts'
import { RoomMemory } from './room-memory.ts'
import { presenceIdentityOf } from './room-presence.ts'
import { type BroughtText, RoomRefusal, type StateCost } from './rooms.ts'
import { countLoadedInSteps, isQuickToLoad, RoomText } from './room-text.ts'
import { runInTurns } from './run-steps.ts'
import { SizeLimit } from './size-limit.ts'
import { StateSender } from './state-sender.ts'
import { isAhead, readStateVector } from './state-vector.ts'
import { TextDigest } from './text-digest.ts'
import { firstLettersOf } from './first-letters.ts'
import type { MemoryCount } from './memory-count.ts'
import type { UnsavedEdits } from './unsaved-edits.ts'
import type { TextWorkerPool } from './text-worker-pool.ts'

const INTERNAL_ERROR: CloseReason = {
  code: 'overloaded',
  detail: serverRefusalsStrings.session.serverError,
  retryAfterMs: 1_000,
}
/** What a conflict costs its writers, in units: a few in a row are refused for a while. */
const CONFLICT_UNITS = 500_000
/** The list of documents shows fewer. */
const MAX_TITLE_LETTERS = 4_000
/** Encoding this many bytes takes a few milliseconds at most. */
const QUICK_BYTES = 64 * 1024

export interface RoomOptions {
  readonly document: string
  readonly part: DocumentPart
  readonly store: DocumentStore
  readonly log: Logger
  readonly counts: ServerCounts
  readonly tracing?: Tracing | undefined
  /** Decodes large texts. */
  readonly textWorkers: TextWorkerPool
  readonly meter: Meter
  readonly clientIds: ClientIdBudget
  readonly memory: DocumentMemory
  /** The space of whoever owns the document; without it there is no limit. */
  readonly storage?: RoomStorage | undefined
  readonly unsaved: UnsavedEdits
  readonly editLimit: TurnLimit
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

/** What a room is made of. */
interface RoomSource {
  readonly loaded: LoadedPart
  readonly counts: readonly MemoryCount[]
  /** Undefined if it is quickly computed. */
  readonly stateVector: Uint8Array | undefined
  readonly account: MemoryAccount
}

export class Room {
  readonly document: string
  readonly part: DocumentPart
  readonly #options: RoomOptions
  readonly #text: RoomText
  readonly #members: RoomMembers
  readonly #memberClientIds: MemberClientIds
  readonly #size: SizeLimit
  readonly #memory: RoomMemory
  readonly #logLength: LogLength
  /** Sends to other nodes; null on the only one. */
  readonly #fanout: RoomFanout | null
  /** Receives from other nodes. */
  readonly #remoteRooms: RemoteRooms
  readonly #remoteEdits: RemoteEdits
  readonly #faults = new RoomFaults((cause) => this.#onFault(cause))
  readonly #queue: CommitQueue
  /** Closed until the Y.Doc of a large text is built, and while the Y.Doc holds part of an edit. */
  readonly #docGate = new DocGate(() =>
    this.#text.isLarge && !this.#text.isDocBuilt && !this.isFaulty ? this.#buildDoc() : null,
  )
  readonly #integrator: EditIntegrator
  readonly #edits: EditReceiver
  readonly #stateSender: StateSender
  readonly #digest: TextDigest
  #isMergeFailureLogged = false
  /** The list of documents may ask for the title of a Y.Doc that was dropped, which is not built for that. */
  #titleOfDroppedDoc: string | null = null

  private constructor(
    options: RoomOptions,
    { loaded, counts, stateVector, account }: RoomSource,
    fanout: RoomFanout | null,
  ) {
    this.#options = options
    this.#fanout = fanout
    this.document = options.document
    this.part = options.part
    this.#queue = this.#createQueue()
    this.#text = RoomText.fromLoaded(loaded, stateVector, counts)
    this.#members = new RoomMembers(this.#text.clocks, {
      onMemberFailed: (member, error) => this.#onMemberFailed(member, error),
      onMergeFailed: (error) => this.#onMergeFailed(error),
      onPresenceDue: (member) =>
        this.#faults.containSilently(() =>
          this.#broadcastPresence(member, this.#members.takePresenceUpdate(member)),
        ),
      mayUse: (member, client) => this.#memberClientIds.isFree(client, member),
      mayShow: ({ principal }) => options.meter.waitMs(principal) === 0,
      onPresenceSent: (member, update) => fanout?.publishPresence(member, update),
      onPresenceHidden: (member) => fanout?.publishLeft(member),
    })
    this.#logLength = new LogLength(loaded, options.compactAfterEdits)
    const owners = new ClientOwners(loaded, options.restoredAt, fanout?.reservations)
    this.#memberClientIds = new MemberClientIds(this.part, owners, this.#text.clocks)
    const doc = (): Y.Doc => this.#integrator.doc
    this.#size = new SizeLimit(this.part, this.#text)
    const isDocInUse = (): boolean => !this.#docGate.isOpen
    this.#memory = new RoomMemory({
      budget: options.memory,
      account,
      text: this.#text,
      isDocInUse,
      mayDropDoc: () => this.#queue.isSettled && this.#docGate.isOpen && !this.isFaulty,
      onDropDoc: () => (this.#titleOfDroppedDoc = this.#readTitle()),
    })
    const edits = { text: this.#text, size: this.#size, memory: this.#memory, queue: this.#queue }
    const shared = { ...options, text: this.#text, members: this.#members, faults: this.#faults, doc }
    this.#integrator = new EditIntegrator({ ...shared, partKey: this.#partKey })
    this.#edits = new EditReceiver({
      ...shared,
      ...edits,
      partKey: this.#partKey,
      isShared: fanout !== null,
      memberClientIds: this.#memberClientIds,
      docGate: this.#docGate,
      integrator: this.#integrator,
    })
    this.#stateSender = new StateSender({
      ...shared,
      isDocInUse,
      isStoreFailing: () => this.#queue.isFailing,
      runAfterQueue: (run) => this.#queue.runAfterAll(run),
      evict: (member, reason) => this.evict(member, reason),
    })
    this.#digest = new TextDigest(shared)
    this.#remoteEdits = new RemoteEdits({
      ...shared,
      ...edits,
      logLength: this.#logLength,
      docGate: this.#docGate,
      integrator: this.#integrator,
    })
    this.#remoteRooms = new RemoteRooms(
      { ...options, fanout, logLength: this.#logLength, members: this.#members },
      this.#remoteRoomsHandlers,
    )
  }

  /** @throws {StoreError} An unreadable document never becomes an empty room (D4). */
  static async load(options: RoomOptions): Promise<Room> {
    const { document, part } = options
    // The subscription comes first, so that what is committed while the part is loaded arrives.
    const fanout = options.fanout
      ? new RoomFanout(
          options.fanout,
          options.node ?? '',
          `${document}/${part}`,
          options.reservationQuestions,
        )
      : null
    const account = options.memory.open()
    try {
      await fanout?.whenReady()
      const room = new Room(options, await Room.#loadSource(options, account), fanout)
      await room.#text.pack()
      room.#memory.record()
      await fanout?.whenAnswered()
      room.#remoteRooms.connect()
      return room
    } catch (error) {
      fanout?.close()
      options.memory.close(account)
      throw error
    }
  }

  static async #loadSource(options: RoomOptions, account: MemoryAccount): Promise<RoomSource> {
    const { store, document, part, textWorkers, memory } = options
    const { loaded, counts } = await memory.load(document, async () => {
      const inTurn = await store.load(document, part)
      memory.record(
        account,
        inTurn.updates.reduce((sum, { length }) => sum + length, 0),
        0,
      )
      return { loaded: inTurn, counts: await runInTurns(countLoadedInSteps(inTurn)) }
    })
    const isQuick = isQuickToLoad(loaded, counts)
    const stateVector = isQuick ? undefined : await textWorkers.stateVector(document, loaded)
    return { loaded, counts, stateVector, account }
  }

  /** Reads the beginning of the title. @throws {RoomRefusal} if the text is at fault. */
  async readTitle(): Promise<string> {
    if (!this.#text.isDocBuilt && this.#titleOfDroppedDoc !== null) return this.#titleOfDroppedDoc
    return this.#docGate.run(() => this.#readTitle())
  }

  #readTitle(): string {
    return firstLettersOf(this.#integrator.doc.getText('title'), MAX_TITLE_LETTERS)
  }

  get members(): ReadonlySet<RoomMember> {
    return this.#members.all
  }

  /** If true, the room is to be closed once it is settled, and loaded again. */
  get isFaulty(): boolean {
    return this.#faults.isFaulty
  }

  /** @throws {RoomRefusal} `taken` if the member announces somebody else's client id (A5); `overloaded` for want of memory. */
  join(member: RoomMember, memberClocks: Clocks): void {
    this.#memory.admitMember(member.principal.id)
    this.#faults.contain(() => {
      this.#memberClientIds.announce(member.client, member, memberClocks)
      this.#stateSender.sendState(member, memberClocks)
      this.#members.add(member)
      this.#memory.addMember(member.principal.id)
      if (this.#queue.isFailing) member.subscriber.onStoreStatus(true)
    })
  }

  /** @param client The Yjs client id that the member writes under from now on. @throws {RoomRefusal} */
  async resync(member: RoomMember, memberClocks: Clocks, client: number): Promise<void> {
    await this.#options.storage?.refreshIfFull() // before the edits that it held are sent again
    this.#faults.contain(() => {
      if (!this.members.has(member)) return
      if (client !== member.client) this.#memberClientIds.change(client, member, memberClocks)
      this.#stateSender.sendState(member, memberClocks)
    })
  }

  /** Decodes the state vector of somebody who joins or resyncs. @throws {RoomRefusal} `bad-message` */
  readStateVector(stateVector: Uint8Array): Clocks {
    return readStateVector(stateVector, this.#text.clocks)
  }

  /** What a state for a member with these clocks costs. */
  stateCostFor(memberClocks: Clocks): StateCost {
    return this.#stateSender.stateCostFor(memberClocks)
  }

  lagBytesOf(member: RoomMember): number {
    return this.#stateSender.lagBytesOf(member)
  }

  /** Sends what the member missed, as the document is now, once the present queue is on disk (D1). */
  catchUp(member: RoomMember): void {
    this.#faults.containSilently(() => this.#stateSender.sendMissedEdits(member))
  }

  /** Resolves after the commit. @throws {RoomRefusal} and then nothing was stored. */
  async receiveEdit(member: RoomMember, update: Uint8Array, number: number): Promise<void> {
    if (this.isFaulty || !this.members.has(member)) throw new RoomRefusal(ROOM_RELOADING)
    const recovers = await this.#edits.receive(member, update, number)
    if (recovers) this.#options.onRecovered?.(this)
  }

  /** Takes in what others wrote elsewhere. @param member Whoever brings it, who is not in the room. @throws {RoomRefusal} as `receiveEdit`. */
  async addText(member: RoomMember, { update, number, owners }: BroughtText): Promise<void> {
    if (this.isFaulty) throw new RoomRefusal(ROOM_RELOADING)
    await this.#edits.receive(member, update, number, owners)
  }

  /**
   * Makes an edit of the server's own and broadcasts it to everybody. Resolves after the commit. @param isAllowed Asked when the edit has
   * waited for its turn. Returns false, and changes nothing, if it says no.
   */
  applyServerEdit(
    principal: Principal,
    run: (doc: Y.Doc) => void,
    isAllowed?: () => boolean,
  ): Promise<boolean> {
    return this.#edits.applyServerEdit(principal, run, isAllowed)
  }

  /** A caret is sent behind the letters it was typed with, in one frame with them, and never before the others have them. */
  receivePresence(member: RoomMember, update: Uint8Array): void {
    const units = readPresenceUnits(update.length)
    // Nothing is lost: whoever repeats what others show, or shows more than fits, shows it again.
    if (units > 0 && this.#options.meter.take(member.principal, units, 'presence') > 0) return
    this.#receivePresenceBy(member, () => this.#members.receivePresence(member, update))
  }

  receiveCaret(member: RoomMember, cursor: string): void {
    this.#receivePresenceBy(member, () => this.#members.receiveCaret(member, cursor))
  }

  #receivePresenceBy(member: RoomMember, receive: () => Uint8Array | null): void {
    if (!this.members.has(member)) return // nothing would ever remove its presence
    const presence = refuseOnError('bad-frame', receive)
    this.#faults.containSilently(() => this.#broadcastPresence(member, presence))
  }

  #broadcastPresence(member: RoomMember, presence: Uint8Array | null): void {
    if (!presence) return
    if (member.client === NO_CLIENT) this.#memberClientIds.adopt(this.#members.clientOf(member), member)
    const units = broadcastPresenceUnits(presence.length, this.members.size - 1)
    this.#options.meter.charge(member.principal, units)
    this.#queue.tryRunAfterEditsOf(member, () => this.#members.broadcastPresence(member, presence))
  }

  /** A trace too is sent behind the edits it is about, so its reader has them. It is never stored: it is about the moment. */
  receiveTrace(member: RoomMember, to: number, bytes: Uint8Array): void {
    const recipients = to === 0 ? this.members.size : 1
    if (this.#options.meter.take(member.principal, recipients * PRICES.answer, 'trace') > 0) return
    const copy = bytes.slice() // not a view, which would keep a frame that may be long
    this.#faults.containSilently(() =>
      this.#queue.tryRunAfterEditsOf(member, () =>
        this.#members.sendTrace(member, to, copy, (from) => this.#fanout?.publishTrace(from, to, copy)),
      ),
    )
  }

  /** Computes the digest of the committed state (D7); null while something is under way, if it could not be computed, or costs too much. */
  computeDigest({ principal }: RoomMember): Promise<Uint8Array | null> | null {
    if (!this.#queue.isSettled || this.isFaulty || !this.#docGate.isOpen) return null
    const units = digestUnits(this.#digest.isKnown ? 0 : this.#text.bytes)
    if (this.#options.meter.take(principal, units, 'digest') > 0) return null
    return this.#digest.compute(this.#stateSender.needsWorker(0))
  }

  /** Answers a member that asks who is here, unless it asks too much. */
  answerPresenceQuery(member: RoomMember): void {
    if (this.#options.meter.take(member.principal, PRICES.answer, 'presence') === 0)
      this.resendPresence(member)
  }

  resendPresence(member: RoomMember): void {
    this.#faults.containSilently(() => {
      const bytes = this.#members.resendPresence(member)
      this.#options.meter.charge(member.principal, presenceUnits(bytes))
    })
  }

  hidePresence(member: RoomMember): void {
    this.#faults.containSilently(() => this.#members.hidePresence(member))
  }

  leave(member: RoomMember): void {
    const wasMember = this.members.has(member)
    this.#faults.containSilently(() => this.#members.remove(member))
    if (!wasMember) return
    this.#memory.removeMember(member.principal.id)
    this.#memberClientIds.release(member)
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
    this.#faults.containSilently(() =>
      this.#broadcastPresence(member, this.#members.changeIdentity(member, identity)),
    )
  }

  evict(member: RoomMember, reason: CloseReason): void {
    if (!this.members.has(member)) return
    member.eviction = reason
    this.leave(member)
    this.#members.sendEviction(member, reason)
  }

  /** How many edits, and things that are to be sent behind them, wait for the next batch. */
  get queueLength(): number {
    return this.#queue.length
  }

  get isCompactionDue(): boolean {
    return this.#logLength.isCompactionDue(this.#text.isLogLargerThanSnapshot)
  }

  /**
   * What is on disk. Null where somebody else has stored something that is not here. Null also where other nodes do: the room knows an
   * edit of theirs before it is among its stored updates, since it waits there behind the room's own.
   */
  get stored(): StoredPart | null {
    const { hasGap, sequence, snapshotEnd } = this.#logLength
    if (this.#fanout || hasGap || this.isFaulty) return null
    return { updates: this.#text.stored, sequence, logLength: sequence - snapshotEnd }
  }

  /**
   * Returns what is on disk as one update, if encoding takes no longer than a commit: the text is small, and nothing of it is on
   * its way to the disk. Otherwise null.
   */
  snapshot(): PartSnapshot | null {
    const isStored = this.#queue.length === 0 && !this.#text.hasUncommitted
    const isWhole =
      this.#text.isDocBuilt && this.#docGate.isOpen && !this.#logLength.hasGap && isStored && !this.isFaulty
    if (!isWhole || this.#text.bytes > QUICK_BYTES) return null
    const state = Y.encodeStateAsUpdate(this.#integrator.doc)
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
    void this.#text.pack().then(() => this.#memory.record())
  }

  onCompactionFailed(): void {
    this.#logLength.recordFailedCompaction()
  }

  /** Resolves when every accepted edit is on disk. */
  async whenSettled(): Promise<void> {
    await this.#docGate.whenSettled()
    await this.#queue.whenSettled()
  }

  /** Gives up what the store did not take; nobody received `saved` for it. */
  close(): void {
    this.#remoteRooms.close()
    this.#fanout?.close()
    this.#queue.close()
    this.#members.close()
    this.#text.destroy()
    this.#memory.close()
  }

  get #partKey(): string {
    return `${this.document}/${this.part}`
  }

  /** The text in memory may differ from the store's, or what is stored cannot be read. */
  #onFault(cause: unknown): void {
    const { log, onFault } = this.#options
    log.error({ document: this.document, part: this.part, err: cause }, 'a room failed; it is loaded again')
    if (this.isFaulty) return
    this.#evictToReload()
    onFault()
  }

  #evictToReload(): void {
    this.#faults.setFaulty()
    for (const member of this.members) this.evict(member, ROOM_RELOADING)
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

  #createQueue(): CommitQueue {
    const { document, store, log, counts, tracing } = this.#options
    return new CommitQueue({
      document,
      store,
      log,
      counts,
      tracing,
      countMembers: () => this.members.size,
      onBeforeBatch: () => this.#integrator.integrateDeferred(),
      onStored: (edits, first) => this.#onStored(edits, first),
      broadcast: (edit) => {
        this.#text.addStored(edit.update, edit.sequence)
        this.#members.addEdit(edit)
      },
      onReported: (edits) => this.#onReported(edits),
      onFailing: (failing) => this.#members.broadcastStoreStatus(failing),
      onFault: (error, edits) => {
        if (error instanceof AppendConflict) this.#onConflict(error, edits)
        else this.#faults.report(error)
      },
    })
  }

  /** The edits are on disk: the other nodes receive them before the presence that may follow them in the queue. */
  #onStored(edits: readonly DocumentEdit[], first: number): void {
    this.#digest.forget()
    if (edits.length === 0) return
    this.#logLength.record(first, edits.length)
    this.#fanout?.publishEdits(first, edits)
  }

  /** The batch is broadcast as one, and its authors are answered. */
  #onReported(edits: readonly DocumentEdit[]): void {
    this.#members.flush()
    this.#memory.record() // also what another node has stored
    if (edits.length === 0) return
    this.#options.onCommitted(this, edits)
    this.#remoteRooms.onOwnAppend()
  }

  // Other nodes

  /** The members of a node that is gone are gone. */
  removeNode(node: string): void {
    this.#fanout?.removeNode(node)
  }

  /** Asks for the members of a node that was taken for gone. */
  takeBackNode(node: string): void {
    this.#fanout?.takeBackNode(node)
  }

  /** Resolves when the room has what other nodes stored, if the member's clocks show that it has more than this room. */
  async catchUpWith(memberClocks: Clocks): Promise<void> {
    if (!this.#fanout) return
    if (isAhead(memberClocks, this.#text.clocks)) await this.#remoteRooms.catchUp()
  }

  get #remoteRoomsHandlers(): RemoteRoomsHandlers {
    return {
      isOwn: (update) => this.#queue.holds(update),
      whenFree: () => this.#docGate.whenOpen(),
      onEdits: (edits) => this.#receiveRemote(edits),
      onOwners: (owners) => this.#memberClientIds.learn(owners),
      onOutdated: () => this.#onOutdated(),
      wantsSnapshot: () => this.isCompactionDue,
      onSnapshot: (state, sequence) => this.#onSnapshot(state, sequence),
      run: (callback) => this.#faults.containSilently(callback),
      runBehindQueue: (callback) => this.#queue.tryRunAfterAll(() => this.#faults.containSilently(callback)),
    }
  }

  async #receiveRemote(edits: readonly RemoteEdit[]): Promise<void> {
    this.#titleOfDroppedDoc = null // they go into the text without a Y.Doc
    await this.#remoteEdits.receive(edits)
    this.#options.onRemoteEdits?.()
  }

  /** Loads the room again, since what it has and what is stored do not meet edit by edit. This is nobody's fault. */
  #onOutdated(): void {
    if (this.isFaulty) return
    this.#options.log.info(
      { document: this.document, part: this.part },
      'a room is outdated; it is loaded again',
    )
    this.#evictToReload()
    this.#options.onOutdated?.()
  }

  /**
   * Another node was first, and nothing of the batch is stored. The room is loaded again: its windows come back with what they have, and
   * each edit is checked against what the log has by then. Whoever wrote under the client ids at stake is charged for it.
   */
  #onConflict({ clients }: AppendConflict, edits: readonly DocumentEdit[]): void {
    const atStake = new Set(clients)
    const atFault = edits.filter((edit) => edit.clients.some((client) => atStake.has(client)))
    const members = new Map(Array.from(this.members, ({ principal }) => [principal.id, principal]))
    for (const id of new Set(atFault.map(({ principal }) => principal)))
      this.#options.meter.charge(members.get(id) ?? { id }, CONFLICT_UNITS, this.#partKey)
    this.#onOutdated()
  }

  /** Never rejects: if the build fails, the room is at fault. */
  async #buildDoc(): Promise<void> {
    try {
      // Edits that are integrated but not on disk yet come out of the store with the rest.
      if (this.#text.hasUncommitted) await this.#queue.whenSettled()
      await this.#text.buildDocFrom(await this.#options.textWorkers.pieces(this.document, this.#text.stored))
    } catch (error) {
      this.#faults.report(error)
    }
    this.#memory.record()
  }
}
