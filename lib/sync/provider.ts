/**
 * Keeps a Y.Doc and its awareness in step with the server over one channel. The document's axis of the status lives here;
 * the link's lives in the session.
 */
import type { Awareness } from 'y-protocols/awareness'
import { uint32 } from 'lib0/random'
import * as Y from 'yjs'
import { reportLater } from '../notify-all.ts'
import type { ChannelPart, ChannelRole } from '../protocol/channel.ts'
import type { CloseReason } from '../protocol/close.ts'
import type { ChannelHandlers, ChannelRequest, ClientChannel } from '../session/channel.ts'
import type { Clock } from '../session/clock.ts'
import type { ClientSession } from '../session/session.ts'
import { strings } from '../strings/transports.ts'
import { Adopted } from './adopted.ts'
import { Agreement, isPending } from './agreement.ts'
import { applyContained, containListeners } from './contain.ts'
import type { CurrentText } from './local/copy-writer.ts'
import type { LocalCopy } from './local/local-copy.ts'
import { hasMore, missingIn } from './missing.ts'
import { type Counts, type NeighbourPowers, Neighbours } from './neighbours.ts'
import { Notes } from './notes.ts'
import { Presence } from './presence.ts'
import type { DocumentStatus } from './status.ts'
import { transactUnheard } from './unheard.ts'

type ServerState = Parameters<ChannelHandlers['onAttached']>[0]

/** Client ids are random: so many in a row that are somebody else's are no accident. */
const MAX_TAKEN = 3

/** Text from this device: neither the server's nor typed just now. */
const fromDevice = Symbol('from this device')

interface Surroundings {
  readonly clock: Clock
  /** For a window that has neighbours in its browser. */
  readonly neighbours?: NeighbourPowers | undefined
  /** What this device keeps of the document; null where it keeps nothing. */
  readonly local?: LocalCopy | null
}

/** Who measures what becomes of edits (lib/latency). */
export interface ProviderWatch {
  /** @param edit The how many-th made here. @param number The message that says it; undefined: it is held for now. */
  onMade(edit: number, number: number | undefined): void
  /** Of what is saved, or refused. */
  onCount(): void
}

export class Provider {
  readonly doc: Y.Doc
  readonly part: ChannelPart
  /** Between the windows of this browser; where there are none, nobody hears them. */
  readonly notes = new Notes()
  /** About delays, in the same way. */
  readonly stamps = new Notes()
  /** While somebody measures. */
  watch: ProviderWatch | null = null
  /** What other windows told about delays, by way of the server. */
  onTrace: (from: number, bytes: Uint8Array) => void = () => {}
  readonly #session: ClientSession
  readonly #channel: ClientChannel
  readonly #local: LocalCopy | null
  readonly #onChange: () => void
  #status: DocumentStatus = { state: 'loading' }
  #refusal: CloseReason | undefined
  #storeFailing = false
  #takenInARow = 0
  readonly #neighbours: Neighbours | null
  readonly #adopted = new Adopted()
  readonly #presence: Presence
  readonly #agreement: Agreement
  readonly #beforeRemoteEdits = new Set<() => void>()

  constructor(
    session: ClientSession,
    request: ChannelRequest,
    doc: Y.Doc,
    onChange: () => void,
    { clock, neighbours, local = null }: Surroundings,
  ) {
    this.doc = doc
    this.part = request.part
    this.#session = session
    this.#local = local
    this.#onChange = onChange
    this.#presence = new Presence(doc, {
      state: (update) => this.#channel.presence(update),
      caret: (cursor) => this.#channel.caret(cursor),
    })
    this.#channel = session.openChannel(request, {
      stateVector: () => Y.encodeStateVector(doc),
      client: () => doc.clientID,
      onTaken: () => this.#takeAnotherClient(),
      onAttached: (message) => this.#onAttached(message),
      onChange: (update) => this.#receiveUpdate(update),
      onPresence: (update, whole) => this.#presence.hear(update, whole),
      onTrace: (from, bytes) => this.onTrace(from, bytes),
      onRole: (role) => this.#setSynced(role),
      onStore: (failing) => this.#onStore(failing),
      onCompared: (same) => this.#agreement.compared(same),
      onRefused: (reason) => this.#onRefused(reason),
      onDetached: (reason) => this.#onDetached(reason),
      onLink: () => this.#onLink(),
      onCount: () => this.#onCount(),
    })
    this.#neighbours = neighbours ? this.#neighboursBy(neighbours, clock, request) : null
    this.#agreement = this.#agreementBy(clock)
    doc.on('update', this.#onUpdate)
    doc.on('afterTransaction', this.#leaveUntidied)
  }

  get awareness(): Awareness {
    return this.#presence.awareness
  }

  get status(): DocumentStatus {
    return this.#status
  }

  /** Of all text that is shown here, the neighbours' included (W2). */
  get unsaved(): number {
    return this.#channel.unsaved + (this.#neighbours?.unsaved ?? 0)
  }

  /** Edits made here, ever. */
  get edits(): number {
    return this.#channel.edits
  }

  /** The first of them, as many as are saved. */
  get saved(): number {
    return this.#channel.edits - this.#channel.unsaved
  }

  /** Those of `unsaved` that are not on this device either. What was refused is not shown again, wherever it is. */
  get unstored(): number {
    if (!this.#local || this.#refusal) return this.unsaved
    return this.#ownUnstored + (this.#neighbours?.unstored ?? 0)
  }

  /** Neighbours write down their own, and say so. */
  get #ownUnstored(): number {
    const { unsaved } = this.#channel
    if (!this.#local || this.#refusal) return unsaved
    return Math.min(this.#local.unstored + this.#adopted.unstored(this.saved), unsaved)
  }

  /** The server has closed the document for now (A7): it is asked again by itself. */
  get setAside(): CloseReason | undefined {
    const { pausedFor } = this.#channel
    return pausedFor?.code === 'set-aside' ? pausedFor : undefined
  }

  get refusal(): CloseReason | undefined {
    return this.#refusal
  }

  /**
   * Calls `listener` before others' edits are taken into `doc`, outside any Yjs transaction: what it writes is an edit made here.
   * Returns its undo.
   */
  beforeRemoteEdits(listener: () => void): () => void {
    this.#beforeRemoteEdits.add(listener)
    return () => void this.#beforeRemoteEdits.delete(listener)
  }

  /** From here on the server is asked for what is not here. */
  ready(): void {
    this.#channel.ready()
  }

  /** Takes in what this device has of the document. Never rejects. */
  async load(): Promise<void> {
    await this.#local?.open({
      take: (updates, changes) => this.#takeFromDevice(updates, changes),
      onCopy: (role) => this.#onCopy(role),
      text: () => this.#text(),
      onCount: () => this.#onStored(),
    })
  }

  /** @param to A window by its presence, 0 for all others. */
  trace(to: number, bytes: Uint8Array): void {
    this.#channel.trace(to, bytes)
  }

  /** The page may be gone with this turn. */
  flush(): void {
    this.#local?.flush()
  }

  close(): void {
    this.doc.off('update', this.#onUpdate)
    this.doc.off('afterTransaction', this.#leaveUntidied)
    this.#presence.close()
    this.#leave()
  }

  #onUpdate = (update: Uint8Array, origin: unknown, _doc: Y.Doc, transaction: Y.Transaction): void => {
    this.#local?.changed()
    if (origin === this || origin === fromDevice || this.#isNeighbours(origin)) return
    const number = this.#channel.edit(update)
    this.watch?.onMade(this.#channel.edits, number)
    this.#local?.append(update, this.#channel.edits)
    if (!this.#mayOnlyRead && !this.#refusal) this.#neighbours?.edited(update, transaction)
  }

  /**
   * Yjs deletes superfluous marks after it took in others' formatting, in a transaction that looks like an edit made here. Writers
   * pass that on; a reader may not, and of neighbours each would send the same, ahead of what it builds on.
   */
  #leaveUntidied = (transaction: Y.Transaction): void => {
    const { origin } = transaction
    if (origin === this ? this.#mayOnlyRead : origin === fromDevice || this.#isNeighbours(origin))
      transaction._needFormattingCleanup = false
  }

  #isNeighbours(origin: unknown): boolean {
    return this.#neighbours !== null && origin === this.#neighbours
  }

  get #mayOnlyRead(): boolean {
    return 'role' in this.#status && this.#status.role === 'viewer'
  }

  #neighboursBy(powers: NeighbourPowers, clock: Clock, request: ChannelRequest): Neighbours {
    return new Neighbours(powers, request, this.doc, clock, {
      counts: () => this.#counts(),
      onCount: () => this.#onNeighbourCount(),
      beforeEdit: () => this.#announceRemoteEdits(),
      onOrphans: (edits, unstored) => this.#adopt(edits, unstored),
      notes: this.notes,
      stamps: this.stamps,
    })
  }

  /** Of this window, for its neighbours. */
  #counts(): Counts {
    const adopted = this.#adopted.unsaved(this.saved)
    const edits = this.edits - this.#adopted.edits
    return { edits, saved: edits - (this.#channel.unsaved - adopted), adopted, unstored: this.#ownUnstored }
  }

  #adopt(edits: number, unstored: number): void {
    this.#adopted.add({ edits, upTo: this.edits + edits, unstored })
    this.#channel.adopt(edits)
  }

  #agreementBy(clock: Clock): Agreement {
    return new Agreement(this.doc, clock, {
      isAtRest: () => this.#status.state === 'synced' && this.unsaved === 0 && !this.#storeFailing,
      tell: (digest) => this.#channel.digest(digest),
      heal: (cause) => this.#channel.heal(cause),
    })
  }

  /** What is written under an id and not saved cannot be said under another. */
  #takeAnotherClient(): boolean {
    const { doc } = this
    if (this.#channel.unsaved > 0 || ++this.#takenInARow > MAX_TAKEN) return false
    doc.clientID = uint32()
    return true
  }

  #onDetached(reason: CloseReason): void {
    this.#neighbours?.close()
    this.#agreement.stop()
    const isMissing = reason.code === 'forbidden' || reason.code === 'bad-document'
    void this.#local?.setAside(isMissing ? 'missing' : reason.code)
    if (isMissing) void this.#local?.forget()
    this.#set({ state: 'refused', reason })
  }

  /** What this device shows offline, the windows of its browser may tell each other as well. */
  #onCopy(role: ChannelRole): void {
    if (this.#status.state !== 'loading') return
    this.#set({ state: 'local', role })
    this.#join()
  }

  #join(): void {
    this.#neighbours?.join(this.#session.principal || (this.#local?.principal ?? ''))
  }

  #takeFromDevice(updates: readonly Uint8Array[], changes: number): number {
    this.#announceRemoteEdits()
    for (const update of updates) applyContained(this.doc, update, fromDevice)
    if (changes > 0) this.#channel.adopt(changes)
    return this.#channel.edits
  }

  #text(): CurrentText | null {
    if (this.#status.state !== 'synced') return null
    const isSaved = this.unsaved === 0 && !isPending(this.doc)
    return {
      state: isSaved ? Y.encodeStateAsUpdate(this.doc) : null,
      title: this.part === 'body' ? this.doc.getText('title').toJSON() : '',
      role: this.#status.role,
    }
  }

  #onCount(): void {
    this.#agreement.touched()
    this.watch?.onCount()
    this.#neighbours?.counted()
    this.#onNeighbourCount()
  }

  /** What waits for text that is still to come was not sent, whatever the count says. */
  #onNeighbourCount(): void {
    if (!isPending(this.doc)) this.#local?.saved(this.saved)
    this.#onChange()
  }

  #onStored(): void {
    this.#neighbours?.counted()
    this.#onChange()
  }

  #onRefused(reason: CloseReason): void {
    if (!this.#refusal) void this.#local?.setAside(reason.code)
    this.#refusal = reason
    this.watch?.onCount()
    this.#onChange()
  }

  #onLink(): void {
    if (this.#local?.identify(this.#session.principal) === false) this.#onStranger()
    else this.#presence.announce()
  }

  /** Text of one person is not sent as another's. A desk is not worth the document's connection: it alone is given up. */
  #onStranger(): void {
    const reason: CloseReason = { code: 'sign-in', detail: strings.details.somebodyElse }
    if (this.part !== 'desk') return this.#session.links.stop(reason)
    this.#leave()
    this.#set({ state: 'refused', reason })
  }

  #leave(): void {
    this.#neighbours?.close()
    this.#agreement.stop()
    this.#channel.detach()
    this.#local?.close()
  }

  #onAttached({ role, updates, stateVector }: ServerState): Uint8Array | null {
    this.#announceRemoteEdits()
    this.#storeFailing = false // told again where it is still so
    this.#takenInARow = 0
    this.#setSynced(role)
    if (!this.#mayOnlyRead) void this.#local?.takeBack()
    const takeAll = (): void => updates.forEach((update) => this.#applyUpdate(update))
    let isNews = true
    const transact = (run: () => void): void => {
      isNews = transactUnheard(this.doc, this.#onUpdate, this, run)
    }
    containListeners(transact, takeAll)
    if (isNews) this.#local?.changed()
    this.#join()
    return this.#owes(stateVector) ? missingIn(stateVector, this.doc) : null
  }

  #owes(stateVector: Uint8Array): boolean {
    // A deletion moves no clock, so edits that were held may lie in the delete set alone.
    if (this.#channel.holdsEdits) return true
    // What a reader has beside that is a neighbour's, who brings it.
    return !this.#mayOnlyRead && (this.#channel.isDoubtful || hasMore(this.doc, stateVector))
  }

  /** What a listener throws is nobody's edit lost: it is reported, and the edits are taken in. */
  #announceRemoteEdits(): void {
    for (const listener of this.#beforeRemoteEdits) {
      try {
        listener()
      } catch (error) {
        reportLater(error)
      }
    }
  }

  #receiveUpdate(update: Uint8Array): void {
    this.#announceRemoteEdits()
    this.#applyUpdate(update)
  }

  #applyUpdate(update: Uint8Array): void {
    this.#agreement.touched()
    this.#local?.heard(update)
    applyContained(this.doc, update, this)
  }

  #onStore(failing: boolean): void {
    this.#storeFailing = failing
    if (this.#status.state === 'synced') this.#setSynced(this.#status.role)
  }

  #setSynced(role: ChannelRole): void {
    this.#set({ state: 'synced', role, ...(this.#storeFailing && { storeFailing: true }) })
  }

  #set(status: DocumentStatus): void {
    this.#status = status
    this.#onChange()
  }
}
