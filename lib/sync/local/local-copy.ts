/**
 * Manages one open document's copy on this device (D6): loads it, stores the window's own edits, and deletes them when the server has
 * saved them. One elected window of a document also writes its copy (`copy-writer.ts`) and takes over the rows of dead windows.
 *
 *   edit ──append──▶ pending ──on the disk──▶ row ──saved by the server──▶ marked ──next copy of the elected window──▶ gone
 *
 * Knows rows, locks and time; does not know links, and Yjs updates only as bytes.
 */
import type { ChannelRole } from '../../protocol/channel-messages.ts'
import { SCHEMA_VERSION } from '../../protocol/limits.ts'
import type { Clock } from '../../session/clock.ts'
import type { LocksLike } from '../../locks.ts'
import { ifWindowGone, acquireWindowLock, type WindowLock } from '../../window-group/window-lock.ts'
import { type CopyDetails, CopyWriter, type CurrentText } from './copy-writer.ts'
import { SavedRowTracker } from './saved-row-tracker.ts'
import { copyWriterLock, lockIdOf } from './copy-locks.ts'
import type { PartKey, QuarantineReason } from './local-records.ts'
import type { AdoptedRows, LocalStore } from './local-store.ts'

/** How often the elected window looks for windows that died meanwhile, in ms. */
const ADOPT_INTERVAL_MS = 5_000
/** The wait after a write that failed, in ms: the disk is full, or the browser closed the database. */
const RETRY_MS = 2_000
/**
 * From an edit to its row, in ms: one frame. A key is on screen before its row is written, and edits of the same frame share a
 * transaction.
 */
const BATCH_MS = 16
/** The same while the server saves: it has the edits sooner than that, and several keys share a transaction. */
const BATCH_WHILE_SAVING_MS = 150
/** So many of these batches may be left out while the server has all that waits: a copy mostly takes it in before. */
const MAX_BATCHES_LEFT_OUT = 19
/** Above this many unsaved rows, they are merged into one. */
const MAX_UNMERGED_ROWS = 200

export interface LocalCopyPlatform {
  readonly store: LocalStore
  readonly locks: LocksLike
  readonly clock: Clock
  /** The principal that this browser had last, '' where none is known. */
  readonly principal: string
  /** Stores the principal for the next page load. */
  remember(principal: string): void
}

/** What the copy needs from its document. */
export interface LocalCopyHandlers {
  /**
   * Applies what was found on this device.
   * @param changes How many of this person's changes in it the server still lacks: 0 for text that the server has.
   * @returns The number of the latest edit, these included.
   */
  applyUpdates(updates: readonly Uint8Array[], changes: number): number
  /** A copy was found, and its reader had this role. */
  onCopyFound(role: ChannelRole): void
  /** The server takes edits now, and is sent them at once. */
  isServerSaving(): boolean
  /** Returns null before the server has answered. */
  currentText(): CurrentText | null
  /** A write has succeeded or failed. */
  onWritten(): void
}

interface PendingRow {
  readonly n: number
  /** The edit's number among the edits of the channel. */
  readonly edit: number
  readonly update: Uint8Array
}

export class LocalCopy {
  readonly #platform: LocalCopyPlatform
  /** Stands for this opening, not for the page: a page may open a document twice, or leave it and stay. */
  readonly #lock: WindowLock
  readonly #key: PartKey
  readonly #ownTracker: SavedRowTracker
  readonly #trackers: SavedRowTracker[]
  readonly #closed = Promise.withResolvers<void>()
  readonly #electionAbort = new AbortController()
  #handlers: LocalCopyHandlers | null = null
  #principal: string
  /** The principal can no longer change: text of theirs was found here, or the server showed its text to them. */
  #isPrincipalFixed = false
  #nextN = 1
  #pending: PendingRow[] = []
  #savedEdits = 0
  readonly #copyWriter: CopyWriter
  #rowsSinceMerge = 0
  #storedN = 0
  #nameCount = 0
  #lastWrite: Promise<void> = Promise.resolve()
  #isWriting = false
  #isBatchScheduled = false
  #batchesLeftOut = 0
  #isStopped = false
  #hasWriteFailed = false
  #hasRestoredRows = false
  #cancelTimers = new Set<() => void>()

  constructor(key: PartKey, platform: LocalCopyPlatform) {
    this.#key = key
    this.#platform = platform
    this.#principal = platform.principal
    this.#lock = acquireWindowLock(platform.locks)
    this.#ownTracker = this.#createTracker(this.#createRowWindow())
    this.#trackers = [this.#ownTracker]
    this.#copyWriter = new CopyWriter({
      clock: platform.clock,
      after: (ms, run) => this.#after(ms, run),
      currentText: () => (this.#isStopped ? null : (this.#handlers?.currentText() ?? null)),
      writeCopy: (...copy) => this.#writeCopy(...copy),
    })
  }

  /** The principal whose text this is, '' while it is not known. */
  get principal(): string {
    return this.#principal
  }

  /** Edits that are neither on the server nor on this device; Infinity once nothing is stored any more. */
  get unstored(): number {
    if (this.#isStopped) return Infinity
    return this.#pending.filter(({ edit }) => edit > this.#savedEdits).length
  }

  /** Whether edits are written here within moments, as far as is known: no write has failed since the last success. */
  get isWritable(): boolean {
    return !this.#isStopped && !this.#hasWriteFailed
  }

  /** Loads copy and rows into the document, and takes over the rows of dead windows. Never rejects: what cannot be read is skipped. */
  async open(handlers: LocalCopyHandlers): Promise<void> {
    this.#handlers = handlers
    void this.#joinElection()
    try {
      await this.#load(handlers)
      await this.#adoptOrphanedRows()
    } catch {
      // The server has the text; later edits are stored again as usual.
    }
  }

  /**
   * Sets the principal that the server names. Returns false where text of somebody else is in the document: it must not be sent as
   * theirs.
   */
  identify(principal: string): boolean {
    if (principal !== this.#principal) this.#platform.remember(principal)
    if (this.#principal !== principal && this.#principal !== '' && this.#isPrincipalFixed) return false
    this.#principal = principal
    this.#isPrincipalFixed = true
    return true
  }

  /** @param edit The edit's number among the edits of the channel. */
  appendEdit(update: Uint8Array, edit: number): void {
    if (this.#isStopped) return
    const n = this.#nextN++
    this.#pending.push({ n, edit, update })
    this.#ownTracker.addRow({ n, edit })
    this.#scheduleWrite()
  }

  /** The server has saved this many edits, from the first. */
  onSaved(edits: number): void {
    // Saved rows are written all the same, unless a copy takes them in before: later ones build on them.
    this.#savedEdits = edits
    for (const tracker of this.#trackers) tracker.onSaved(edits)
    this.#copyWriter.onSaved()
  }

  /** The server sent this update of its text. */
  onServerUpdate(update: Uint8Array): void {
    this.#copyWriter.onServerUpdate(update)
  }

  /** The text changed, or what is known of it: the elected window writes a copy soon. */
  onChanged(): void {
    this.#copyWriter.onChanged()
  }

  /** The server refuses the unsaved rows and all that follows them: they are kept, but not shown at the next visit. */
  async quarantineRows(reason: QuarantineReason): Promise<void> {
    this.#isStopped = true
    // Rows still in memory are written first: written later they would be shown and sent, without what they build on.
    this.#startWriting()
    await this.#lastWrite
    this.#pending = []
    const { store } = this.#platform
    for (const { owner } of this.#trackers)
      await this.#ignoreErrors(() => store.quarantineRows(owner, reason))
  }

  /** The document is there and this person may write: what was set aside while it was missing is sent. */
  async restoreRows(): Promise<void> {
    if (this.#hasRestoredRows || this.#isStopped) return
    this.#hasRestoredRows = true
    await this.#ignoreErrors(() => this.#platform.store.restoreRows(this.#key, this.#principal))
    await this.#ignoreErrors(() => this.#adoptOrphanedRows())
  }

  /** The document is gone for this person, so its text leaves this device. */
  async removeCopy(): Promise<void> {
    this.#isStopped = true
    await this.#ignoreErrors(() => this.#platform.store.removeCopies(this.#key.document))
  }

  /** The server no longer has edits sooner than this device: none waits for others any more. */
  writeWaiting(): void {
    this.#startWriting()
  }

  /** Writes at once what waits, because the page may be gone after this turn. */
  flush(): void {
    this.#startWriting()
    for (const tracker of this.#trackers) void tracker.writeMark()
  }

  close(): void {
    this.flush()
    this.#isStopped = true
    this.#handlers = null
    for (const cancel of this.#cancelTimers) cancel()
    this.#electionAbort.abort()
    this.#closed.resolve()
    // Other windows take over what is left, but only once nothing more is written.
    void this.#lastWrite.then(() => this.#lock.close())
  }

  #createRowWindow(): string {
    return `${this.#lock.id}.${++this.#nameCount}`
  }

  async #load(handlers: LocalCopyHandlers): Promise<void> {
    const { copy, rows } = await this.#platform.store.readPart(this.#key, this.#principal)
    if (this.#isStopped) return
    // An editor deletes what its schema does not know. This page is out of date, and the server will tell it so.
    if (copy && copy.schema > SCHEMA_VERSION) return void (this.#isStopped = true)
    const updates = [...(copy ? [copy.state] : []), ...rows.map(({ update }) => update)]
    this.#isPrincipalFixed ||= updates.length > 0
    handlers.applyUpdates(updates, 0)
    this.#copyWriter.onLoaded(copy !== undefined)
    if (copy) handlers.onCopyFound(copy.role)
  }

  // Writing rows

  #scheduleWrite(): void {
    if (this.#isWriting || this.#isBatchScheduled) return
    this.#isBatchScheduled = true
    this.#after(this.#isServerSaving ? BATCH_WHILE_SAVING_MS : BATCH_MS, () => {
      this.#isBatchScheduled = false
      const isUrgent = this.unstored > 0 || !this.#isServerSaving
      if (isUrgent || this.#batchesLeftOut === MAX_BATCHES_LEFT_OUT) return this.#startWriting()
      if (this.#pending.length === 0) return
      this.#batchesLeftOut += 1
      this.#scheduleWrite()
    })
  }

  get #isServerSaving(): boolean {
    return this.#handlers?.isServerSaving() ?? false
  }

  #startWriting(): void {
    this.#batchesLeftOut = 0
    if (!this.#isWriting && this.#pending.length > 0) this.#lastWrite = this.#writePending()
  }

  /** Runs one transaction at a time; edits that come meanwhile share the next. */
  async #writePending(): Promise<void> {
    this.#isWriting = true
    try {
      await this.#lock.whenHeld
      while (this.#pending.length > 0) await this.#writeBatch([...this.#pending])
    } catch {
      this.#hasWriteFailed = true
      this.#handlers?.onWritten()
      if (!this.#isStopped) this.#after(RETRY_MS, () => this.#startWriting())
    } finally {
      this.#isWriting = false
    }
  }

  async #writeBatch(batch: readonly PendingRow[]): Promise<void> {
    const { owner, savedN } = this.#ownTracker
    const marked = savedN < batch[0]!.n ? 0 : savedN
    await this.#platform.store.append(owner, this.#principal, batch.map(rowOf), marked)
    this.#onBatchStored(batch, marked)
  }

  #onBatchStored(batch: readonly PendingRow[], marked: number): void {
    this.#hasWriteFailed = false
    this.#storedN = batch.at(-1)!.n
    this.#ownTracker.onStored(this.#storedN, marked)
    this.#dropPending(this.#storedN)
    this.#rowsSinceMerge += batch.length
    if (this.#rowsSinceMerge > MAX_UNMERGED_ROWS && this.#ownTracker.unsaved > MAX_UNMERGED_ROWS)
      this.#mergeRows()
    this.#handlers?.onWritten()
  }

  #dropPending(upTo: number): void {
    this.#pending = this.#pending.filter(({ n }) => n > upTo)
  }

  #mergeRows(): void {
    this.#rowsSinceMerge = 1
    void this.#ignoreErrors(() => this.#platform.store.mergeRows(this.#ownTracker.owner, this.#storedN))
  }

  // Writing the copy

  async #joinElection(): Promise<void> {
    const { locks } = this.#platform
    const options = { signal: this.#electionAbort.signal }
    const election = locks.request(copyWriterLock(this.#key), options, async () => {
      if (!this.#isStopped) this.#copyWriter.onElected()
      this.#scheduleAdoption()
      await this.#closed.promise
    })
    await election.catch(() => {}) // closed before it was elected, or there are no locks here: another window writes the copy
  }

  #scheduleAdoption(): void {
    if (this.#isStopped) return
    this.#after(ADOPT_INTERVAL_MS, () => {
      void this.#ignoreErrors(() => this.#adoptOrphanedRows()).then(() => this.#scheduleAdoption())
    })
  }

  async #adoptOrphanedRows(): Promise<void> {
    const { store, locks } = this.#platform
    await this.#lock.whenHeld
    for (const [writer, names] of Map.groupBy(await store.rowWindows(this.#key), lockIdOf)) {
      if (writer !== this.#lock.id) await ifWindowGone(locks, writer, () => this.#adoptWindows(names))
    }
  }

  async #adoptWindows(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#adoptWindow(name)
  }

  async #adoptWindow(window: string): Promise<void> {
    if (this.#isStopped) return
    const name = this.#createRowWindow()
    const { store } = this.#platform
    this.#applyAdopted(await store.adoptRows({ ...this.#key, window }, name, this.#principal), name)
  }

  #applyAdopted({ saved, unsaved }: AdoptedRows, window: string): void {
    if (!this.#handlers) return
    this.#isPrincipalFixed ||= saved.length + unsaved.length > 0
    this.#handlers.applyUpdates(saved.map(updateOf), 0)
    const changes = unsaved.reduce((sum, row) => sum + row.changes, 0)
    if (changes === 0) return
    const edit = this.#handlers.applyUpdates(unsaved.map(updateOf), changes)
    const entries = unsaved.map(({ n }) => ({ n, edit }))
    this.#trackers.push(this.#createTracker(window, entries))
  }

  #createTracker(
    window: string,
    unsaved: readonly { readonly n: number; readonly edit: number }[] = [],
  ): SavedRowTracker {
    const after = (ms: number, run: () => void): void => this.#after(ms, run)
    return new SavedRowTracker({ ...this.#key, window }, this.#platform.store, after, [...unsaved])
  }

  async #writeCopy(
    details: CopyDetails,
    content: Uint8Array | readonly Uint8Array[],
    mergesFormer: boolean,
  ): Promise<void> {
    // Read before anything more is saved, which the text would lack.
    const own = { window: this.#ownTracker.owner.window, upTo: this.#ownTracker.savedN }
    // Rows that are not marked stay until the copy after this one.
    await Promise.all(this.#trackers.map((tracker) => tracker.writeMark()))
    const stamp = { principal: this.#principal, schema: SCHEMA_VERSION, at: Date.now() }
    await this.#platform.store.compact({ ...this.#key, ...details, ...stamp }, content, own, mergesFormer)
    if (!(content instanceof Uint8Array)) return
    this.#dropPending(own.upTo)
    this.#batchesLeftOut = 0
  }

  /** A failure loses nothing: the same work is done again with the next change. */
  async #ignoreErrors(run: () => Promise<void>): Promise<void> {
    await run().catch(() => {})
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#platform.clock.after(ms, () => {
      this.#cancelTimers.delete(cancel)
      run()
    })
    this.#cancelTimers.add(cancel)
  }
}

const rowOf = ({ n, update }: PendingRow) => ({ n, update, changes: 1 })

const updateOf = ({ update }: { update: Uint8Array }) => update
