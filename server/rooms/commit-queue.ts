/**
 * The order in which what a room has accepted reaches the disk, the other members, and its author:
 *
 *   add ─▶ one append per batch ─▶ onStored ─▶ for each entry: broadcast, then the answer to its author ─▶ onReported
 *
 * The entries that come while a batch is being appended are the next batch, and a batch is offered until the store takes it (D3). No entry
 * is reported before it and all entries before it are on disk (D1), and a batch is reported within one turn. An entry that brings no edit is
 * a callback that waits for the entries before it. Knows edits, and how many of a member's are not on disk; does not know the Y.Doc.
 */
import type { Logger } from 'pino'
import type { ServerCounts } from '../metrics/server-counts.ts'
import { MAX_GROUP_BYTES } from '../store/group-commit.ts'
import { AppendConflict, type DocumentEdit, type DocumentStore } from '../store/store.ts'
import { InterruptibleWait } from '../timeouts.ts'
import { noTracing, type Tracing } from '../tracing/tracing.ts'
import { BatchPacing, pauseMsFor } from './batch-pacing.ts'
import type { Clocks } from './clocks.ts'
import type { RemoteEdit } from './log-follower.ts'
import { ROOM_RELOADING } from './room-faults.ts'
import type { BroadcastEdit, RoomMember } from './room-members.ts'
import { RoomRefusal } from './rooms.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/**
 * A batch is encoded for the store, and reported to everybody, in one turn each. This many edits take some 10 ms, and after a store has
 * failed for a while there may be many more.
 */
export const MAX_BATCH_EDITS = 1_000
/** As much as a transaction takes. While a store fails, each document’s batch is copied for it again and again. */
export const MAX_BATCH_BYTES = MAX_GROUP_BYTES
/** While the store hangs, presence is not worth more memory than this. */
const MAX_QUEUED_FOR_PRESENCE = 1_000

/** An edit that is on disk. */
export interface CommittedEdit extends BroadcastEdit {
  /** Where the edit stands in the log. */
  readonly sequence: number
}

export interface CommitQueueOptions {
  readonly document: string
  readonly store: Pick<DocumentStore, 'append'>
  readonly log: Logger
  readonly counts: ServerCounts
  readonly tracing?: Tracing | undefined
  /** How many members get each broadcast. */
  countMembers(): number
  /** Called right before a batch is made. */
  onBeforeBatch(): void
  /** Called when a batch is on disk, before anything of it is reported. @param first The first edit's sequence number, 0 if there are no edits. */
  onStored(edits: readonly DocumentEdit[], first: number): void
  /** Called for each edit in the order of the commits, before its author is answered. */
  broadcast(edit: CommittedEdit): void
  /** Called in the same turn, when all of the batch is reported. */
  onReported(edits: readonly DocumentEdit[]): void
  /** The store refuses the batch, or takes it again. */
  onFailing(failing: boolean): void
  /**
   * The queue is closed: another callback threw, or another node was first (`AppendConflict`). Then all who wait are refused.
   * @param edits Those that are never reported; some may be on disk.
   */
  onFault(error: unknown, edits: readonly DocumentEdit[]): void
}

interface CommitEntry {
  /** Null if the entry brings no edit of this node, or if that was refused meanwhile. */
  edit: DocumentEdit | null
  /** An edit of another node, which is on disk already and waits for its turn to be broadcast. */
  readonly remote?: RemoteEdit
  /** The document's clocks after the edit. */
  readonly clocks: Clocks
  readonly author: RoomMember | null
  refusal: RoomRefusal | null
  answer(refusal: RoomRefusal | null): void
}

const doNothing = (): void => {}

/** Waits for the entries before it, and brings nothing to append. */
const WAITING_ENTRY: CommitEntry = {
  edit: null,
  clocks: new Map(),
  author: null,
  refusal: null,
  answer: doNothing,
}

/** An edit that waits for its commit. */
export class QueuedEdit {
  /** Resolves after the commit. @throws {RoomRefusal} if it was refused, or the room failed: then nobody learns whether it is on disk. */
  readonly committed: Promise<void>
  readonly #entry: CommitEntry

  constructor(entry: CommitEntry, committed: Promise<void>) {
    this.#entry = entry
    this.committed = committed
  }

  /** Leaves the edit out of the batch to come. Its author is answered in its turn. */
  refuse(refusal: RoomRefusal): void {
    this.#entry.edit = null
    this.#entry.refusal = refusal
  }
}

export class CommitQueue {
  readonly #options: CommitQueueOptions
  readonly #pacing = new BatchPacing()
  readonly #retryPause = new InterruptibleWait()
  #entries: CommitEntry[] = []
  /** The entries that are being appended and reported. */
  #batch: readonly CommitEntry[] = []
  #working: Promise<void> | null = null
  #isFailing = false
  #isClosed = false

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  /** How many entries wait, besides those of the batch that is being appended. */
  get length(): number {
    return this.#entries.length
  }

  /** True if every entry is reported. */
  get isSettled(): boolean {
    return this.#working === null
  }

  /** True if the store refused the batch when it was last offered. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  /** True if the room has so many members that edits wait for each other. */
  get isBusy(): boolean {
    return pauseMsFor(this.#options.countMembers()) > 0
  }

  /** True for an edit of this room that is not reported yet. */
  holds(update: Uint8Array): boolean {
    const isSame = ({ edit }: CommitEntry): boolean => edit !== null && areEqual(edit.update, update)
    return this.#batch.some(isSame) || this.#entries.some(isSame)
  }

  /** @param edit Null if there is nothing new to append: the author is answered when everything before it is on disk. */
  add(edit: DocumentEdit | null, clocks: Clocks, author: RoomMember | null): QueuedEdit {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const answer = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
    const entry: CommitEntry = { edit, clocks, author, refusal: null, answer }
    if (author) author.uncommittedEdits += 1
    this.#add(entry)
    return new QueuedEdit(entry, promise)
  }

  addRemote(remote: RemoteEdit, clocks: Clocks): void {
    this.#add({ ...WAITING_ENTRY, remote, clocks })
  }

  /** Runs the callback behind everything that was accepted so far. */
  runAfterAll(run: () => void): void {
    const answer = (refusal: RoomRefusal | null): void => {
      if (!refusal) run()
    }
    this.#add({ ...WAITING_ENTRY, answer })
  }

  /** The same for what is of the moment: at once if nothing waits, and not at all if too much does. */
  tryRunAfterAll(run: () => void): void {
    if (this.isSettled) run()
    else this.#runAfterAllUnlessLong(run)
  }

  /** In a busy room `run` waits for the next batch even if the member has no edits there, and is sent with the others' edits. */
  tryRunAfterEditsOf(member: RoomMember, run: () => void): void {
    if (member.uncommittedEdits === 0 && !this.#pacing.isPausing) run()
    else this.#runAfterAllUnlessLong(run)
  }

  async whenSettled(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** Gives up what the store did not take: no entry is reported any more, not even those that are being appended. */
  close(): void {
    this.#isClosed = true
    this.#retryPause.end()
    this.#pacing.stop()
  }

  #add(entry: CommitEntry): void {
    this.#entries.push(entry)
    this.#working ??= this.#work()
  }

  #runAfterAllUnlessLong(run: () => void): void {
    if (this.length < MAX_QUEUED_FOR_PRESENCE) this.runAfterAll(run)
  }

  async #work(): Promise<void> {
    await Promise.resolve() // the other edits of the same frame join the batch
    try {
      while (this.#entries.length > 0 && !this.#isClosed) {
        if (this.isBusy) await this.#pacing.waitForBatch(this.#options.countMembers(), () => this.length)
        await this.#commitBatch()
      }
    } catch (error) {
      this.#abandon(error)
    } finally {
      this.#working = null
    }
  }

  async #commitBatch(): Promise<void> {
    this.#options.onBeforeBatch()
    this.#batch = this.#entries.splice(0, endOfBatch(this.#entries))
    const edits = this.#batch.flatMap(({ edit }) => edit ?? [])
    const first = edits.length > 0 ? await this.#append(edits) : 0
    if (!this.#isClosed) this.#report(edits, first)
    this.#batch = []
  }

  /** Returns the first sequence number. @throws {AppendConflict} */
  async #append(edits: readonly DocumentEdit[]): Promise<number> {
    for (let wait = FIRST_RETRY_MS; !this.#isClosed; wait = Math.min(LAST_RETRY_MS, wait * 2)) {
      const first = await this.#offer(edits)
      this.#setFailing(first === null)
      if (first !== null) return first
      await this.#retryPause.wait(wait)
    }
    return 0
  }

  /** Returns null if the store did not take the edits. A batch is nobody's child, since it holds the edits of many requests. */
  async #offer(edits: readonly DocumentEdit[]): Promise<number | null> {
    const { store, counts, log, document, tracing = noTracing } = this.#options
    const startedAt = performance.now()
    try {
      const [first] = await tracing.detached(() =>
        tracing.span('store append', { 'diptych.edits': edits.length }, () => store.append(edits)),
      )
      counts.commits += 1
      counts.storeAppends.recordSince(startedAt)
      return first!
    } catch (error) {
      if (error instanceof AppendConflict) throw error
      counts.storeFailures += 1
      log.error({ document, edits: edits.length, err: error }, 'store did not commit')
      return null
    }
  }

  #setFailing(failing: boolean): void {
    if (failing === this.#isFailing) return
    this.#isFailing = failing
    this.#options.onFailing(failing)
  }

  #report(edits: readonly DocumentEdit[], first: number): void {
    const { onStored, broadcast, onReported } = this.#options
    onStored(edits, first)
    let sequence = first
    for (const { edit, remote, clocks, author, refusal, answer } of this.#batch) {
      if (author) author.uncommittedEdits -= 1
      if (remote) broadcast({ ...remote, clocks, author })
      if (edit) broadcast({ update: edit.update, sequence: sequence++, clocks, author })
      answer(refusal)
    }
    onReported(edits)
  }

  #abandon(error: unknown): void {
    const { onFault, log, document } = this.#options
    const entries = [...this.#batch, ...this.#entries]
    this.#entries = []
    this.#batch = []
    this.close()
    try {
      onFault(
        error,
        entries.flatMap(({ edit }) => edit ?? []),
      )
    } catch (fault) {
      log.error({ document, err: fault }, 'a fault could not be dealt with')
    }
    const refusal = new RoomRefusal(ROOM_RELOADING)
    for (const { answer } of entries) answer(refusal)
  }
}

/** How many entries fit into one batch: one at least. */
function endOfBatch(entries: readonly CommitEntry[]): number {
  let edits = 0
  let bytes = 0
  const end = entries.findIndex(({ edit }, index) => {
    edits += edit ? 1 : 0
    bytes += edit ? edit.update.length : 0
    return index > 0 && (edits > MAX_BATCH_EDITS || bytes > MAX_BATCH_BYTES)
  })
  return end === -1 ? entries.length : end
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && Buffer.compare(a, b) === 0
