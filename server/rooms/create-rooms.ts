/** What the rooms in memory are used for: members join them, the server edits them, rights and names change, and logs are compacted. */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { palette } from '../../lib/protocol/palette.ts'
import { realClock } from '../../lib/session/clock.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Access } from '../access/access.ts'
import { type Principal, roleAllows } from '../access/principal.ts'
import type { ProfileUpdate, ProfileStore } from '../access/profiles.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { Meter } from '../metering/meter.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { RateLimits } from '../rate-limit.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import type { RoomStorage, StorageQuota } from '../storage/storage-quota.ts'
import type { DocumentStore, DocumentEdit, DocumentPart } from '../store/store.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'
import { TurnLimit } from '../turn-limit.ts'
import type { Versions } from '../versions/create-versions.ts'
import { NO_CLIENT, type RoomMember } from './room-members.ts'
import { deskNameOf } from './desk-name.ts'
import { DocumentMemory } from './document-memory.ts'
import { FaultHistory } from './fault-history.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { RoomCompactor } from './room-compactor.ts'
import { Membership } from './membership.ts'
import { MemberRights } from './member-rights.ts'
import { type KeptRoom, OpenRooms, type RoomLife } from './open-rooms.ts'
import { TitleProjection } from './title-projection.ts'
import { SERVER_SESSION } from './edit-receiver.ts'
import { Room } from './room.ts'
import { ReservationQuestions } from './reservation-questions.ts'
import type { BroughtText, JoinRequest, RoomFigures, RoomSubscriber } from './rooms.ts'
import { RoomRefusal } from './rooms.ts'
import { TextBringer } from './text-bringer.ts'
import { UnsavedEdits } from './unsaved-edits.ts'
import { TextWorkerPool } from './text-worker-pool.ts'

/** A long edit counts once more for each of these. */
const EDIT_ITEM_BYTES = 128

export interface RoomsOptions {
  readonly store: DocumentStore
  readonly access: Pick<Access, 'roleOf' | 'onChanged'>
  /** Gives people's latest names and colours; without it, they keep those they joined with. */
  readonly profiles?: Pick<ProfileStore, 'withLatestProfile' | 'onChanged'>
  readonly log: Logger
  readonly counts?: ServerCounts
  readonly tracing?: Tracing
  /** Decodes large texts. */
  readonly textWorkers?: TextWorkerPool
  /** Merges logs into snapshots. */
  readonly merger?: DocumentMerger
  readonly meter?: Meter
  readonly clientIds?: ClientIdBudget
  readonly memory?: DocumentMemory
  /** Limits what is stored for each owner; without it there is no limit. */
  readonly storage?: Pick<StorageQuota, 'openRoom'>
  /** Limits what is held of edits that are not on disk. */
  readonly unsaved?: UnsavedEdits
  /** Limits guesses of document ids and tokens (A6); without it there is no limit. */
  readonly guessLimits?: RateLimits
  /** Writes the title, and the fact that the document changed, into SQL. */
  onTitle(document: string, title: string): Promise<void>
  readonly faults?: FaultHistory
  /** The time at which the store was restored from a backup: editors may then bring back what it lost (A5). */
  readonly restoredAt?: number | null
  /** How many edits make a compaction due; by default 500. */
  readonly compactAfterEdits?: number
  /** Called when somebody brought back lost text, at most once a document. */
  onRecovered?(document: string): void
  /** Set where other nodes have the same store. */
  readonly fanout?: Fanout | undefined
  readonly nodes?: Nodes
  /** Called with whoever wrote in a body, and when a body's room closes. */
  readonly versions?: Pick<Versions, 'onEdited' | 'onLeft'>
}

/** A room, and how its title gets into the list of documents. */
interface ProjectedRoom extends KeptRoom {
  readonly room: Room
  readonly projection: TitleProjection
  readonly storage: RoomStorage | undefined
}

function storedNameOf({ document, part, principal }: JoinRequest): string {
  const isValid = part === 'desk' ? document === '' : isDocumentId(document)
  if (!isValid) throw new RoomRefusal({ code: 'bad-document', detail: document.slice(0, 80) })
  if (part !== 'desk') return document
  const desk = deskNameOf(principal)
  if (!desk) throw new RoomRefusal({ code: 'forbidden', detail: serverRefusalsStrings.room.noDesk })
  return desk
}

export type Rooms = ReturnType<typeof createRooms>

export function createRooms(options: RoomsOptions) {
  const { counts = new ServerCounts(), faults = new FaultHistory(), tracing = noTracing, log } = options
  const {
    textWorkers = new TextWorkerPool(),
    merger = new DocumentMerger(),
    meter = new Meter(),
    clientIds = new ClientIdBudget(),
    memory = new DocumentMemory({ counts }),
    unsaved = new UnsavedEdits(),
  } = options
  const { guessLimits = new RateLimits(null, realClock) } = options
  const openRooms = new OpenRooms<ProjectedRoom>({
    faults,
    tracing,
    log,
    load,
    isMemoryShort: () => memory.isShort,
  })
  const unsubscribeAccess = options.access.onChanged(recheckRights)
  const unsubscribeGone = options.nodes?.onGone((node) => {
    for (const { room } of openRooms.all) room.removeNode(node)
  })
  const unsubscribeJoined = options.nodes?.onJoined((node) => {
    for (const { room } of openRooms.all) room.takeBackNode(node)
  })
  const reservationQuestions =
    options.fanout && options.nodes ? new ReservationQuestions(options.fanout, options.nodes) : null
  const unsubscribeProfiles = options.profiles?.onChanged(onProfileChanged)
  /** Documents for which `onRecovered` was called. */
  const recoveredDocuments = new Set<string>()
  const compactor = new RoomCompactor({ store: options.store, merger, tracing, log })
  const editLimit = new TurnLimit(EDIT_ITEM_BYTES)
  const rights = new MemberRights({ access: options.access, guessLimits, log })

  return { join, edit, addText, stopWriting, countMembers, recheckAllRights, evict, close, readFigures }

  /**
   * @throws {RoomRefusal} `bad-document` if the id is malformed, `forbidden` if the document is missing or not allowed (the same
   * answer), `overloaded` while the store cannot load it (D4), `set-aside` while it fails again and again (A7), `taken` if the
   * member's client id is somebody else's (A5), `bad-message` for bytes that are no state vector, or one of too many entries.
   */
  async function join(request: JoinRequest, subscriber: RoomSubscriber): Promise<Membership> {
    const { part, token, session, client = NO_CLIENT, isStock = false } = request
    const document = storedNameOf(request)
    let changes = rights.changes
    let role = await rights.roleOfJoiner(request, document)
    return openRooms.use(document, part, async ({ room, storage }) => {
      await storage?.refreshIfFull()
      const memberClocks = room.readStateVector(request.stateVector)
      await room.catchUpWith(memberClocks)
      await request.admit?.(room.stateCostFor(memberClocks))
      while (changes !== rights.changes) {
        changes = rights.changes
        role = await rights.requireRole(room, request.principal, token)
      }
      const principal = options.profiles?.withLatestProfile(request.principal) ?? request.principal
      const memberFields = { subscriber, principal, session, token, isStock }
      const member: RoomMember = {
        ...memberFields,
        role,
        client,
        hasState: false,
        uncommittedEdits: 0,
        lagClocks: null,
      }
      room.join(member, memberClocks)
      // The role may have been revoked on another node, whose message is not here yet.
      void rights.recheck(room, member)
      return new Membership(room, member)
    })
  }

  /** Makes an edit of the server's own (title by API, first content). Resolves after the commit, when others see it. */
  function edit(
    document: string,
    part: DocumentPart,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void> {
    return openRooms.use(document, part, async ({ room, projection }) => {
      for (let isDone = false; !isDone;) {
        const { changes } = rights
        const role = await rights.requireRole(room, principal)
        if (!roleAllows(role, 'write'))
          throw new RoomRefusal({ code: 'forbidden', detail: serverRefusalsStrings.room.readOnly })
        isDone = await room.applyServerEdit(principal, change, () => changes === rights.changes)
      }
      await projection.flush()
    })
  }

  /**
   * Takes in, as one edit, what others wrote in another document that began as this one did. Resolves after the commit.
   * @param principal Whoever brings it, and needs the right to write.
   * @throws {RoomRefusal} and then nothing was stored: `taken` where a client id has another owner here, and whatever an edit may be
   * refused for.
   */
  function addText(document: string, principal: Principal, text: BroughtText): Promise<void> {
    return openRooms.use(document, 'body', async ({ room, projection, storage }) => {
      const bringer = new TextBringer(document, principal, text.source)
      // The right may be lost while the text waits for its turn.
      const unsubscribe = options.access.onChanged((changed) => {
        if (changed === document) rights.recheckAll(bringer)
      })
      try {
        bringer.member.role = await rights.requireRole(room, principal)
        await storage?.refreshIfFull()
        await room.addText(bringer.member, text)
      } finally {
        unsubscribe()
      }
      await projection.flush()
    })
  }

  /** How many members the document has here, in all its parts. */
  /**
   * Takes the right to write from everybody in a document here, until their rights are looked up again. Resolves when all that they have sent
   * is on disk, or was refused.
   */
  async function stopWriting(document: string): Promise<void> {
    const open = openRooms.of(document)
    for (const { room } of open)
      for (const member of room.members) if (roleAllows(member.role, 'write')) room.setRole(member, 'viewer')
    await Promise.all(open.map(({ room }) => room.whenSettled()))
  }

  function countMembers(document: string): number {
    return openRooms.of(document).reduce((sum, { room }) => sum + room.members.size, 0)
  }

  /** Evicts everybody, for example from a deleted document. */
  function evict(document: string, reason: CloseReason): void {
    for (const { room } of openRooms.of(document))
      for (const member of room.members) room.evict(member, reason)
  }

  function readFigures(): RoomFigures {
    const queued = openRooms.all.reduce((sum, { room }) => sum + room.queueLength, 0)
    return { open: openRooms.size, queued, memoryBytes: memory.bytes }
  }

  /** Waits until every accepted edit is committed, compacts nothing, and closes. */
  async function close(): Promise<void> {
    unsubscribeAccess()
    unsubscribeProfiles?.()
    unsubscribeGone?.()
    unsubscribeJoined?.()
    await openRooms.close()
    reservationQuestions?.close()
  }

  async function load(document: string, part: DocumentPart, life: RoomLife): Promise<ProjectedRoom> {
    const projection = new TitleProjection({
      readTitle: () => room.readTitle(),
      writeTitle: (title) => options.onTitle(document, title),
      onFailed: (error) => log.error({ document, err: error }, 'title was not written to the list'),
    })
    const { store } = options
    const storage = options.storage?.openRoom(document, part)
    const room = await Room.load({
      document,
      part,
      store,
      log,
      counts,
      tracing,
      textWorkers,
      meter,
      clientIds,
      memory,
      storage,
      unsaved,
      editLimit,
      onCommitted: (committed, edits) => onRoomCommitted(committed, projection, life, edits),
      onEmpty: () => life.onEmpty(),
      onFault: () => life.onFault(),
      fanout: options.fanout,
      node: options.nodes?.self,
      reservationQuestions,
      onRemoteEdits: () => part === 'body' && projection.schedule(),
      onOutdated: () => life.onOutdated(),
      restoredAt: options.restoredAt ?? null,
      compactAfterEdits: options.compactAfterEdits,
      onRecovered: (recovered) => onRoomRecovered(recovered),
    }).catch((error: unknown) => {
      storage?.close()
      throw error
    })
    compactIfDue(room, life)
    return {
      room,
      projection,
      storage,
      get isEmpty() {
        return room.members.size === 0
      },
      whenSettled: () => room.whenSettled(),
      close: () =>
        closeRoom(room, projection)
          .catch((error: unknown) => logFailed(room, error))
          .finally(storage?.close),
    }
  }

  async function closeRoom(room: Room, projection: TitleProjection): Promise<void> {
    await room.whenSettled()
    // A compaction may still run: whoever loads the document meanwhile reads it as it is before or after.
    if (!room.isFaulty) await projection.flush()
    projection.stop()
    room.close()
    if (!openRooms.isClosed && room.part === 'body') options.versions?.onLeft(room.document)
  }

  // After commits

  /** A failure of the work that follows a commit does not make the edit fail. */
  function onRoomCommitted(
    room: Room,
    projection: TitleProjection,
    life: RoomLife,
    edits: readonly DocumentEdit[],
  ): void {
    try {
      if (room.part === 'body') reportBodyEdit(room, projection, edits)
      compactIfDue(room, life)
    } catch (error) {
      logFailed(room, error)
    }
  }

  function reportBodyEdit(room: Room, projection: TitleProjection, edits: readonly DocumentEdit[]): void {
    for (const { principal, session } of edits)
      if (session !== SERVER_SESSION) options.versions?.onEdited(room.document, principal)
    projection.schedule()
  }

  function logFailed({ document }: Room, error: unknown): void {
    log.error({ document, err: error }, 'work beside a room failed; the room goes on')
  }

  function onRoomRecovered({ document }: Room): void {
    if (recoveredDocuments.has(document)) return
    recoveredDocuments.add(document)
    log.warn({ document }, 'windows brought back text that the restored store had lost')
    options.onRecovered?.(document)
  }

  function compactIfDue(room: Room, life: RoomLife): void {
    compactor.compactIfDue(room, () => life.isRetired)
  }

  // Names

  /** Synchronous, so that the change is visible everywhere before it is confirmed. */
  function onProfileChanged({ id, name, formerNames, colour }: ProfileUpdate): void {
    const color = colour && palette[colour]
    for (const { room } of openRooms.all)
      for (const member of room.members)
        if (member.principal.id === id)
          room.setPrincipal(member, { ...member.principal, name, formerNames }, color)
  }

  // Rights

  /** Looks at the rights of every member again, since a change may have been missed. */
  function recheckAllRights(): void {
    rights.recordChange()
    for (const { room } of openRooms.all) rights.recheckAll(room)
  }

  function recheckRights(document: string): void {
    rights.recordChange() // whoever joins while the document is loaded is in no room yet
    for (const { room } of openRooms.of(document)) rights.recheckAll(room)
  }
}
