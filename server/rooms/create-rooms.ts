/** The rooms in use. Each is loaded once for all its members, kept a while after the last one left, and compacted in between. */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { palette } from '../../lib/protocol/palette.ts'
import { realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Access } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ProfileUpdate, ProfileStore } from '../access/profiles.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import type { Nodes } from '../nodes/nodes.ts'
import { RateLimits } from '../rate-limit.ts'
import { DocumentMerger } from '../store/document-merger.ts'
import { type DocumentStore, type DocumentEdit, type DocumentPart, StoreError } from '../store/store.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'
import type { Versions } from '../versions/versions.ts'
import { NO_CLIENT, type RoomMember } from './room-members.ts'
import { deskNameOf } from './desk-name.ts'
import { FaultHistory, SET_ASIDE_MS } from './fault-history.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { IntegrationBudget } from './integration-budget.ts'
import { RoomCompactor } from './room-compactor.ts'
import { RoomMembership } from './room-membership.ts'
import { MemberRights } from './member-rights.ts'
import { TitleProjection } from './title-projection.ts'
import { Room, SERVER_SESSION } from './room.ts'
import { ReservationQuestions } from './reservation-questions.ts'
import type { JoinRequest, RoomFigures, RoomSubscriber, Membership, Rooms } from './rooms.ts'
import { RoomRefusal } from './rooms.ts'
import { TextWorkerPool } from './text-worker-pool.ts'
import { startTimeout } from '../timeouts.ts'

/** How long an empty room is kept, in case its window is only being reloaded. */
const LINGER_MS = 30_000

/** How often the window of a set-aside document tries again: a restart of the server may heal the document before its time. */
const RETRY_AFTER_MS = 30_000

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
  readonly budget?: IntegrationBudget
  readonly clientIds?: ClientIdBudget
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

interface RoomEntry {
  readonly key: string
  readonly loading: Promise<Room>
  room: Room | null
  /** How many joins and server edits are under way. */
  activeUses: number
  isRetired: boolean
  cancelLinger: () => void
  readonly projection: TitleProjection
}

const isIdle = ({ activeUses, room, isRetired }: RoomEntry): boolean =>
  activeUses === 0 && !isRetired && room?.members.size === 0

function storedNameOf({ document, part, principal }: JoinRequest): string {
  const isValid = part === 'desk' ? document === '' : isDocumentId(document)
  if (!isValid) throw new RoomRefusal({ code: 'bad-document', detail: document.slice(0, 80) })
  if (part !== 'desk') return document
  const desk = deskNameOf(principal)
  if (!desk) throw new RoomRefusal({ code: 'forbidden', detail: strings.room.noDesk })
  return desk
}

export function createRooms(options: RoomsOptions): Rooms {
  const { counts = new ServerCounts(), faults = new FaultHistory(), tracing = noTracing, log } = options
  const {
    textWorkers = new TextWorkerPool(),
    merger = new DocumentMerger(),
    budget = new IntegrationBudget(),
    clientIds = new ClientIdBudget(),
  } = options
  const { guessLimits = new RateLimits(null, realClock) } = options
  const entries = new Map<string, RoomEntry>()
  const retiring = new Map<string, Promise<unknown>>()
  const unsubscribeAccess = options.access.onChanged(recheckRights)
  const unsubscribeNodes = options.nodes?.onGone((node) => {
    for (const { room } of entries.values()) room?.removeNode(node)
  })
  const reservationQuestions =
    options.fanout && options.nodes ? new ReservationQuestions(options.fanout, options.nodes) : null
  const unsubscribeProfiles = options.profiles?.onChanged(onProfileChanged)
  /** Documents for which `onRecovered` was called. */
  const recoveredDocuments = new Set<string>()
  const compactor = new RoomCompactor({ store: options.store, merger, tracing, log })
  const rights = new MemberRights({ access: options.access, guessLimits, log })
  let closed = false

  return { join, edit, recheckAllRights, evict, close, readFigures }

  async function join(request: JoinRequest, subscriber: RoomSubscriber): Promise<Membership> {
    const { part, token, session, client = NO_CLIENT, isStock = false } = request
    const document = storedNameOf(request)
    const role = await rights.roleOfJoiner(request, document)
    return withRoom(document, part, async (_entry, room) => {
      await room.catchUpWith(request.stateVector)
      await request.admit?.(room.missingBytesFor(request.stateVector))
      const principal = options.profiles?.withLatestProfile(request.principal) ?? request.principal
      const memberFields = { subscriber, principal, session, token, isStock }
      const member: RoomMember = {
        ...memberFields,
        role,
        client,
        hasState: false,
        uncommittedEdits: 0,
        lagStateVector: null,
      }
      room.join(member, request.stateVector)
      // The role may have been revoked between the check and the join.
      void rights.recheck(room, member)
      return new RoomMembership(room, member)
    })
  }

  function edit(
    document: string,
    part: DocumentPart,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void> {
    return withRoom(document, part, async (entry, room) => {
      await room.applyServerEdit(principal, change)
      await entry.projection.flush()
    })
  }

  function evict(document: string, reason: CloseReason): void {
    for (const { room } of entriesOf(document))
      for (const member of room?.members ?? []) room?.evict(member, reason)
  }

  function readFigures(): RoomFigures {
    const queued = [...entries.values()].reduce((sum, { room }) => sum + (room?.queueLength ?? 0), 0)
    return { open: entries.size, queued }
  }

  async function close(): Promise<void> {
    closed = true
    unsubscribeAccess()
    unsubscribeProfiles?.()
    unsubscribeNodes?.()
    for (const entry of entries.values()) retire(entry)
    await Promise.all(retiring.values())
    reservationQuestions?.close()
  }

  // Loading and leaving

  async function withRoom<Answer>(
    document: string,
    part: DocumentPart,
    run: (entry: RoomEntry, room: Room) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (closed) throw new RoomRefusal({ code: 'going-away' })
    const key = `${document}/${part}`
    refuseSetAside(key)
    const entry = entries.get(key) ?? openEntry(key, document, part)
    entry.activeUses += 1
    entry.cancelLinger()
    try {
      return await run(entry, await entry.loading)
    } finally {
      entry.activeUses -= 1
      lingerIfIdle(entry)
    }
  }

  function refuseSetAside(key: string): void {
    const leftMs = faults.setAsideMs(key)
    if (leftMs === 0) return
    const detail = strings.room.setAside(Math.ceil(leftMs / 60_000))
    throw new RoomRefusal({ code: 'set-aside', detail, retryAfterMs: Math.min(leftMs, RETRY_AFTER_MS) })
  }

  /** Whoever joins from now on gets another room, also while earlier joins into this one are still under way. */
  function onRoomFault(entry: RoomEntry): void {
    addFault(entry)
    if (!entry.isRetired) retire(entry)
  }

  function addFault({ key }: RoomEntry): void {
    if (faults.recordFault(key))
      log.error({ place: key, ms: SET_ASIDE_MS }, 'document set aside: it failed again and again')
  }

  function openEntry(key: string, document: string, part: DocumentPart): RoomEntry {
    const entry: RoomEntry = {
      key,
      loading: tracing
        .span('room open', { 'diptych.part': part }, () => load(document, part))
        .catch((error: unknown) => refuseFailedLoad(entry, error)),
      room: null,
      activeUses: 0,
      isRetired: false,
      cancelLinger: () => {},
      projection: new TitleProjection({
        readTitle: async () => (await entry.room?.readTitle()) ?? '',
        writeTitle: (title) => options.onTitle(document, title),
        onFailed: (error) => log.error({ document, err: error }, 'title was not written to the list'),
      }),
    }
    entries.set(key, entry)
    return entry

    /** Loads only when the last edits of the previous room are on disk. */
    async function load(document: string, part: DocumentPart): Promise<Room> {
      await retiring.get(key)
      const { store } = options
      entry.room = await Room.load({
        document,
        part,
        store,
        log,
        counts,
        textWorkers,
        budget,
        clientIds,
        onCommitted: (room, edits) => onRoomCommitted(entry, room, edits),
        onEmpty: () => lingerIfIdle(entry),
        onFault: () => onRoomFault(entry),
        fanout: options.fanout,
        node: options.nodes?.self,
        reservationQuestions,
        onRemoteEdits: () => part === 'body' && entry.projection.schedule(),
        onOutdated: () => {
          if (!entry.isRetired) retire(entry)
        },
        restoredAt: options.restoredAt ?? null,
        compactAfterEdits: options.compactAfterEdits,
        onRecovered: (room) => onRoomRecovered(room),
      })
      compactIfDue(entry, entry.room)
      return entry.room
    }
  }

  function refuseFailedLoad(entry: RoomEntry, error: unknown): never {
    forget(entry)
    log.error({ place: entry.key, err: error }, 'document cannot be loaded')
    if (!(error instanceof StoreError)) addFault(entry) // the store could read it, so the document itself is at fault
    throw new RoomRefusal({ code: 'overloaded', detail: strings.room.notLoaded, retryAfterMs: 1_000 })
  }

  function lingerIfIdle(entry: RoomEntry): void {
    if (!isIdle(entry)) return
    entry.cancelLinger()
    entry.cancelLinger = startTimeout(LINGER_MS, () => void retireWhenSettled(entry))
  }

  /** Somebody may join while the last edits are still being written, so it checks again afterwards. */
  async function retireWhenSettled(entry: RoomEntry): Promise<void> {
    await entry.room?.whenSettled()
    if (isIdle(entry)) retire(entry)
  }

  function retire(entry: RoomEntry): void {
    const { key } = entry
    forget(entry)
    const earlierRetirement = retiring.get(key)
    const done = Promise.all([earlierRetirement, closeEntry(entry)]).finally(() => {
      if (retiring.get(key) === done) retiring.delete(key)
    })
    retiring.set(key, done)
  }

  function forget(entry: RoomEntry): void {
    entry.isRetired = true
    entry.cancelLinger()
    if (entries.get(entry.key) === entry) entries.delete(entry.key)
  }

  /** Never rejects, because that would refuse the next to join for an earlier failure. */
  async function closeEntry(entry: RoomEntry): Promise<void> {
    const room = await entry.loading.catch(() => null)
    if (room) await closeRoom(entry, room).catch((error: unknown) => logFailed(room, error))
  }

  async function closeRoom(entry: RoomEntry, room: Room): Promise<void> {
    await room.whenSettled()
    // A compaction may still run: whoever loads the document meanwhile reads it as it is before or after.
    if (!room.isFaulty) await entry.projection.flush()
    entry.projection.stop()
    room.close()
    if (!closed && room.part === 'body') options.versions?.onLeft(room.document)
  }

  function entriesOf(document: string): RoomEntry[] {
    return [...entries].filter(([key]) => key.startsWith(`${document}/`)).map(([, entry]) => entry)
  }

  // After commits

  /** A failure of the work that follows a commit does not make the edit fail. */
  function onRoomCommitted(entry: RoomEntry, room: Room, edits: readonly DocumentEdit[]): void {
    try {
      if (room.part === 'body') reportBodyEdit(entry, room, edits)
      compactIfDue(entry, room)
    } catch (error) {
      logFailed(room, error)
    }
  }

  function reportBodyEdit(entry: RoomEntry, room: Room, edits: readonly DocumentEdit[]): void {
    for (const { principal, session } of edits)
      if (session !== SERVER_SESSION) options.versions?.onEdited(room.document, principal)
    entry.projection.schedule()
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

  function compactIfDue(entry: RoomEntry, room: Room): void {
    compactor.compactIfDue(room, () => entry.isRetired)
  }

  // Names

  /** Synchronous, so that the change is visible everywhere before it is confirmed. */
  function onProfileChanged({ id, name, formerNames, colour }: ProfileUpdate): void {
    const color = colour && palette[colour]
    for (const { room } of entries.values())
      for (const member of room?.members ?? [])
        if (member.principal.id === id)
          room?.setPrincipal(member, { ...member.principal, name, formerNames }, color)
  }

  // Rights

  function recheckAllRights(): void {
    for (const { room } of entries.values()) if (room) rights.recheckAll(room)
  }

  function recheckRights(document: string): void {
    for (const { room } of entriesOf(document)) if (room) rights.recheckAll(room)
  }
}
