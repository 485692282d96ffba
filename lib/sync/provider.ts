/**
 * Keeps a Y.Doc and its awareness in step with the server over one channel. The state of the document lives here; the state of the link
 * lives in the session.
 */
import type { Awareness } from 'y-protocols/awareness'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import { hasPendingStructs } from '../yjs-internals/struct-store.ts'
import { skipFormattingCleanup } from '../yjs-internals/transaction.ts'
import { notifyAll, reportUncaught } from '../notify-all.ts'
import type { ChannelPart, ChannelRole } from '../protocol/channel-messages.ts'
import type { CloseReason } from '../protocol/close.ts'
import type { ChannelHandlers, ChannelRequest, ClientChannel } from '../session/client-channel.ts'
import type { Clock } from '../session/clock.ts'
import type { ClientSession } from '../session/client-session.ts'
import { transportsStrings } from '../strings/transports.ts'
import { EditCounter } from './edit-counter.ts'
import { ReplicaCheck } from './replica-check.ts'
import { applyUpdateIsolated, isolateListeners } from './isolate-listeners.ts'
import type { CurrentText } from './local/copy-writer.ts'
import type { LocalCopy } from './local/local-copy.ts'
import { encodeMissingText, encodeMissingUpdate, isDocAhead } from './state-vector-diff.ts'
import { NeighbourWindows } from './neighbour-windows.ts'
import type { WindowPlatform } from '../window-group/window-group.ts'
import { NoteChannel } from './note-channel.ts'
import { RemoteEditQueue } from './remote-edit-queue.ts'
import { ChannelPresence } from './channel-presence.ts'
import type { DocumentStatus } from './status.ts'
import { transactSilently } from './silent-transaction.ts'

type ServerState = Parameters<ChannelHandlers['onAttached']>[0]

/** Client ids are random, so this many collisions in a row are no accident. */
const MAX_CLIENT_ID_CHANGES = 3

/** The origin of text from this device, which is neither from the server nor typed just now. */
const localCopyOrigin = Symbol('from this device')

interface ProviderEnvironment {
  readonly clock: Clock
  /** Set for a window that has neighbours in its browser. */
  readonly neighbours?: WindowPlatform | undefined
  /** The document's copy on this device; null where this device stores nothing. */
  readonly localCopy?: LocalCopy | null
  /** Set for a document that is opened once more: its undo stays. */
  readonly undoNotes?: NoteChannel | undefined
}

/** Hears what of the status changed. */
interface StatusChanges {
  invalidate(): void
  /** Only how far the text is saved. */
  invalidateProgress(): void
}

/** Implemented by the code that measures what becomes of edits (lib/latency). */
export interface ProviderObserver {
  /** @param edit The edit's number among those made here. @param number The message that carries it; undefined while it is held. */
  onEditCreated(edit: number, number: number | undefined): void
  /** The number of saved edits changed, or an edit was refused. */
  onCountChange(): void
}

export class Provider {
  readonly doc: Y.Doc
  readonly part: ChannelPart
  /** Goes to the other windows of this browser; where there are none, notes go nowhere. */
  readonly undoNotes: NoteChannel
  /** Carries stamps about delays between the same windows. */
  readonly latencyStamps = new NoteChannel()
  /** Set while somebody measures. */
  observer: ProviderObserver | null = null
  /** Called with what other windows sent about delays by way of the server. */
  onTrace: (from: number, bytes: Uint8Array) => void = () => {}
  readonly #session: ClientSession
  readonly #channel: ClientChannel
  readonly #localCopy: LocalCopy | null
  readonly #statusStore: StatusChanges
  #status: DocumentStatus = { state: 'loading' }
  #refusal: CloseReason | undefined
  #notifiedSetAside: CloseReason | undefined
  #storeFailing = false
  #clientIdChanges = 0
  readonly #neighbours: NeighbourWindows | null
  readonly #counter: EditCounter
  readonly #presence: ChannelPresence
  readonly #replicaCheck: ReplicaCheck
  /** One that throws must not lose anybody's edit: its error is reported, and the edits are applied. */
  readonly #beforeRemoteEdits = new Set<() => void>()
  readonly #rightsListeners = new Set<() => void>()
  readonly #remoteEdits = new RemoteEditQueue((updates) => this.#applyRemoteEdits(updates))

  constructor(
    session: ClientSession,
    request: ChannelRequest,
    doc: Y.Doc,
    statusStore: StatusChanges,
    { clock, neighbours, localCopy = null, undoNotes = new NoteChannel() }: ProviderEnvironment,
  ) {
    this.doc = doc
    this.undoNotes = undoNotes
    this.part = request.part
    this.#session = session
    this.#localCopy = localCopy
    this.#statusStore = statusStore
    this.#presence = new ChannelPresence(doc, {
      sendState: (update) => this.#channel.sendPresence(update),
      sendCaret: (cursor) => this.#channel.sendCaret(cursor),
    })
    this.#channel = session.openChannel(request, {
      stateVector: () => Y.encodeStateVector(doc),
      clientId: () => doc.clientID,
      onClientIdTaken: () => this.#changeClientId(),
      onAttached: (message) => this.#onAttached(message),
      onChange: (update) => this.#receiveUpdate(update),
      onPresence: (update, whole) => this.#presence.receive(update, whole),
      onTrace: (from, bytes) => this.#receiveTrace(from, bytes),
      onRole: (role) => this.#onRole(role),
      onStoreState: (failing) => this.#onStoreState(failing),
      onCompared: (same) => this.#replicaCheck.onCompared(same),
      onRefused: (reason) => this.#onRefused(reason),
      onDetached: (reason) => this.#onDetached(reason),
      onLink: () => this.#onLink(),
      onUnlinked: () => localCopy?.writeWaiting(),
      onCountChange: () => this.#onCountChange(),
    })
    this.#neighbours = neighbours ? this.#createNeighbours(neighbours, clock, request) : null
    this.#counter = new EditCounter({ channel: this.#channel, neighbours: this.#neighbours, localCopy })
    this.#replicaCheck = this.#createReplicaCheck(clock)
    doc.on('update', this.#onUpdate)
    doc.on('afterTransaction', this.#skipFormattingCleanup)
  }

  get awareness(): Awareness {
    return this.#presence.awareness
  }

  get status(): DocumentStatus {
    return this.#status
  }

  /** Counts all text that is shown here, the neighbours' included (W2). */
  get unsaved(): number {
    return this.#counter.unsaved
  }

  /** All edits ever made here. */
  get edits(): number {
    return this.#counter.edits
  }

  /** How many of those edits are saved; they are always the first ones. */
  get saved(): number {
    return this.#counter.saved
  }

  /**
   * Counts the `unsaved` edits that are not on this device either. Refused edits count as well: wherever they are stored, they are not
   * shown again.
   */
  get unstored(): number {
    return this.#counter.unstored
  }

  /** Whether edits that are `unstored` are being written to this device. */
  get isDeviceWritable(): boolean {
    return this.#localCopy?.isWritable ?? false
  }

  /** Why the server has closed the document for now (A7). The channel attaches again by itself. */
  get setAside(): CloseReason | undefined {
    const { pauseReason } = this.#channel
    return pauseReason?.code === 'set-aside' || pauseReason?.code === 'full' ? pauseReason : undefined
  }

  get refusal(): CloseReason | undefined {
    return this.#refusal
  }

  /**
   * Calls `listener` before remote edits are applied to `doc`, outside any Yjs transaction: what it writes is an edit made here. Returns
   * a function that stops this.
   */
  beforeRemoteEdits(listener: () => void): () => void {
    this.#beforeRemoteEdits.add(listener)
    return () => void this.#beforeRemoteEdits.delete(listener)
  }

  /**
   * Calls `listener` when rights in the document have changed, or the proposals to change it: what the API says of it may be another
   * thing now. Returns a function that stops this.
   */
  onRights(listener: () => void): () => void {
    this.#rightsListeners.add(listener)
    return () => void this.#rightsListeners.delete(listener)
  }

  /** From here on the channel may attach and ask the server for what is missing here. */
  startSync(): void {
    this.#channel.markReady()
  }

  /** Applies what this device has of the document. Never rejects. */
  async loadLocalCopy(): Promise<void> {
    await this.#localCopy?.open({
      applyUpdates: (updates, changes) => this.#applyFromDevice(updates, changes),
      onCopyFound: (role) => this.#onCopyFound(role),
      isServerSaving: () => this.#isServerSaving,
      currentText: () => this.#currentText(),
      onWritten: () => this.#onWritten(),
    })
  }

  /** @param to A window by its presence id, 0 for all others. */
  sendTrace(to: number, bytes: Uint8Array): void {
    this.#channel.sendTrace(to, bytes)
  }

  /** Writes at once, because the page may be gone after this turn. */
  flushLocalCopy(): void {
    this.#localCopy?.flush()
  }

  close(): void {
    this.#remoteEdits.applyWaiting()
    this.doc.off('update', this.#onUpdate)
    this.doc.off('afterTransaction', this.#skipFormattingCleanup)
    this.#presence.close()
    this.#detach()
  }

  #onUpdate = (update: Uint8Array, origin: unknown, _doc: Y.Doc, transaction: Y.Transaction): void => {
    this.#localCopy?.onChanged()
    if (origin === this || origin === localCopyOrigin || this.#isFromNeighbours(origin)) return
    const number = this.#channel.sendEdit(update)
    this.observer?.onEditCreated(this.#channel.edits, number)
    this.#localCopy?.appendEdit(update, this.#channel.edits)
    if (!this.#isReadOnly && !this.#refusal) this.#neighbours?.broadcastEdit(update, transaction)
  }

  /**
   * Yjs deletes superfluous marks after it applied remote formatting, in a transaction that looks like an edit made here. Writers pass
   * that on. A reader may not, and neighbours would each send the same deletions, ahead of the text that they build on.
   */
  #skipFormattingCleanup = (transaction: Y.Transaction): void => {
    const { origin } = transaction
    if (origin === this ? this.#isReadOnly : origin === localCopyOrigin || this.#isFromNeighbours(origin))
      skipFormattingCleanup(transaction)
  }

  #isFromNeighbours(origin: unknown): boolean {
    return this.#neighbours !== null && origin === this.#neighbours
  }

  get #isAtRest(): boolean {
    return (
      this.#status.state === 'synced' &&
      this.unsaved === 0 &&
      this.#remoteEdits.isEmpty &&
      !this.#storeFailing
    )
  }

  get #isServerSaving(): boolean {
    return this.#channel.isAttached && this.#session.links.current !== null && !this.#storeFailing
  }

  get #isReadOnly(): boolean {
    return 'role' in this.#status && this.#status.role === 'viewer'
  }

  #createNeighbours(platform: WindowPlatform, clock: Clock, request: ChannelRequest): NeighbourWindows {
    return new NeighbourWindows(platform, request, this.doc, clock, {
      counts: () => this.#counter.ownCounts,
      onCountChange: () => this.#onNeighbourCountChange(),
      beforeRemoteEdit: () => notifyAll(this.#beforeRemoteEdits),
      onOrphanedEdits: (edits, unstored) => this.#counter.adopt(edits, unstored),
      notes: this.undoNotes,
      stamps: this.latencyStamps,
    })
  }

  #createReplicaCheck(clock: Clock): ReplicaCheck {
    return new ReplicaCheck(this.doc, clock, {
      isAtRest: () => this.#isAtRest,
      sendDigest: (digest) => this.#channel.sendDigest(digest),
      resync: (cause) => this.#channel.reattach(cause),
    })
  }

  /** Refuses while edits are unsaved: what was written under one id cannot be sent under another. */
  #changeClientId(): boolean {
    const { doc } = this
    if (this.#channel.unsaved > 0 || ++this.#clientIdChanges > MAX_CLIENT_ID_CHANGES) return false
    doc.clientID = uint32()
    return true
  }

  #onDetached(reason: CloseReason): void {
    this.#neighbours?.close()
    this.#replicaCheck.stop()
    const isMissing = reason.code === 'forbidden' || reason.code === 'bad-document'
    void this.#localCopy?.quarantineRows(isMissing ? 'missing' : reason.code)
    if (isMissing) void this.#localCopy?.removeCopy()
    const formerRole = 'role' in this.#status ? this.#status.role : undefined
    this.#setStatus({ state: 'refused', reason, ...(formerRole && { formerRole }) })
  }

  /** Windows of one browser may share what this device shows offline. */
  #onCopyFound(role: ChannelRole): void {
    if (this.#status.state !== 'loading') return
    this.#setStatus({ state: 'local', role })
    this.#joinNeighbours()
  }

  #joinNeighbours(): void {
    this.#neighbours?.join(this.#session.principal || (this.#localCopy?.principal ?? ''))
  }

  #applyFromDevice(updates: readonly Uint8Array[], changes: number): number {
    notifyAll(this.#beforeRemoteEdits)
    for (const update of updates) applyUpdateIsolated(this.doc, update, localCopyOrigin)
    if (changes > 0) this.#channel.adoptEdits(changes)
    return this.#channel.edits
  }

  #currentText(): CurrentText | null {
    if (this.#status.state !== 'synced') return null
    const isSaved = this.unsaved === 0 && !hasPendingStructs(this.doc)
    return {
      state: isSaved ? Y.encodeStateAsUpdate(this.doc) : null,
      title: this.part === 'body' ? this.doc.getText('title').toJSON() : '',
      role: this.#status.role,
    }
  }

  #onRole(role: ChannelRole): void {
    this.#setSynced(role)
    notifyAll(this.#rightsListeners)
  }

  #onCountChange(): void {
    this.#replicaCheck.onActivity()
    this.observer?.onCountChange()
    this.#neighbours?.broadcastCounts()
    this.#onNeighbourCountChange()
  }

  /** Waits while structs are pending: an edit that waits for missing text was not sent, whatever the count says. */
  #onNeighbourCountChange(): void {
    if (!hasPendingStructs(this.doc)) this.#localCopy?.onSaved(this.saved)
    this.#notifyProgress()
  }

  #onWritten(): void {
    this.#neighbours?.broadcastCounts()
    this.#statusStore.invalidateProgress()
  }

  /** The channel reports the beginning and the end of a pause with its counts. */
  #notifyProgress(): void {
    const { setAside } = this
    if (setAside === this.#notifiedSetAside) return this.#statusStore.invalidateProgress()
    this.#notifiedSetAside = setAside
    this.#statusStore.invalidate()
  }

  #onRefused(reason: CloseReason): void {
    if (!this.#refusal) void this.#localCopy?.quarantineRows(reason.code)
    this.#refusal = reason
    this.#counter.onRefused()
    this.observer?.onCountChange()
    this.#statusStore.invalidate()
  }

  #onLink(): void {
    if (this.#localCopy?.identify(this.#session.principal) === false) this.#onOtherPrincipal()
    else this.#presence.sendOwnState()
  }

  /** Text of one person is never sent as another's. A desk is not worth the document's connection, so only the desk is given up. */
  #onOtherPrincipal(): void {
    const reason: CloseReason = { code: 'sign-in', detail: transportsStrings.details.somebodyElse }
    if (this.part !== 'desk') return this.#session.links.stop(reason)
    this.#detach()
    this.#setStatus({ state: 'refused', reason })
  }

  #detach(): void {
    this.#neighbours?.close()
    this.#replicaCheck.stop()
    this.#channel.detach()
    this.#localCopy?.close()
  }

  #onAttached({ role, updates, stateVector }: ServerState): Uint8Array | null {
    this.#remoteEdits.applyWaiting()
    notifyAll(this.#beforeRemoteEdits)
    this.#replicaCheck.onActivity()
    this.#storeFailing = false // the server repeats it where it still holds
    this.#clientIdChanges = 0
    this.#setSynced(role)
    if (!this.#isReadOnly) void this.#localCopy?.restoreRows()
    const applyAll = (): void => updates.forEach((update) => this.#applyUpdate(update))
    let hasChanges = true
    const transact = (run: () => void): void => {
      hasChanges = transactSilently(this.doc, this.#onUpdate, this, run)
    }
    isolateListeners(transact, applyAll)
    if (hasChanges) this.#localCopy?.onChanged()
    this.#joinNeighbours()
    if (!this.#isServerMissingEdits(stateVector)) return null
    // Whoever deletes text because there is no space has to be saved by it.
    const encode = this.#channel.pauseReason?.code === 'full' ? encodeMissingText : encodeMissingUpdate
    return encode(stateVector, this.doc)
  }

  #isServerMissingEdits(stateVector: Uint8Array): boolean {
    // A deletion moves no clock, so edits that were held may lie in the delete set alone.
    if (this.#channel.holdsEdits) return true
    // Whatever else a reader has came from a neighbour, which sends it itself.
    return !this.#isReadOnly && (this.#channel.needsFullSync || isDocAhead(this.doc, stateVector))
  }

  #receiveUpdate(update: Uint8Array): void {
    this.#replicaCheck.onActivity()
    this.#remoteEdits.add(update)
  }

  /** A stamp follows its edit, and means nothing before it. */
  #receiveTrace(from: number, bytes: Uint8Array): void {
    this.#remoteEdits.applyWaiting()
    this.onTrace(from, bytes)
  }

  #applyRemoteEdits(updates: readonly Uint8Array[]): void {
    notifyAll(this.#beforeRemoteEdits)
    const transact = (run: () => void): void => Y.transact(this.doc, run, this, false)
    isolateListeners(transact, () => updates.forEach((update) => this.#applyRemoteEdit(update)))
  }

  #applyRemoteEdit(update: Uint8Array): void {
    try {
      this.#applyUpdate(update)
    } catch (error) {
      reportUncaught(error)
    }
  }

  #applyUpdate(update: Uint8Array): void {
    this.#localCopy?.onServerUpdate(update)
    applyUpdateIsolated(this.doc, update, this)
  }

  #onStoreState(failing: boolean): void {
    this.#storeFailing = failing
    if (failing) this.#localCopy?.writeWaiting()
    if (this.#status.state === 'synced') this.#setSynced(this.#status.role)
  }

  #setSynced(role: ChannelRole): void {
    this.#setStatus({ state: 'synced', role, ...(this.#storeFailing && { storeFailing: true }) })
  }

  #setStatus(status: DocumentStatus): void {
    this.#status = status
    this.#statusStore.invalidate()
  }
}
