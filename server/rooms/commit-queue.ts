/**
 * The order in which what a room has accepted reaches the disk, the other members, and its author:
 *
 *   add ─▶ one append per batch ─▶ onBatch ─▶ for each entry: onCommitted, then the answer to its author ─▶ onBatchReported
 *
 * No entry is reported before it and all entries before it are on disk (D1), and a batch is reported within one turn. An entry that
 * brings no edit is a callback that waits for the entries before it. Knows edits, and how many of a member's are not on disk; does not
 * know the Y.Doc.
 */
import type { DocumentEdit } from '../store/store.ts'
import { AppendQueue, type AppendQueueOptions } from './append-queue.ts'
import { BatchPacing, pauseMsFor } from './batch-pacing.ts'
import type { Clocks } from './clocks.ts'
import type { RemoteEdit } from './log-follower.ts'
import { ROOM_RELOADING } from './room-faults.ts'
import type { BroadcastEdit, RoomMember } from './room-members.ts'
import { RoomRefusal } from './rooms.ts'

/** While the store hangs, presence is not worth more memory than this. */
const MAX_QUEUED_FOR_PRESENCE = 1_000

/** An edit that is on disk. */
export interface CommittedEdit extends BroadcastEdit {
  /** Where the edit stands in the log. */
  readonly sequence: number
}

export interface CommitQueueOptions extends Pick<
  AppendQueueOptions<never>,
  'document' | 'store' | 'log' | 'counts' | 'onBeforeBatch' | 'onFailing'
> {
  /** How many members get each broadcast. */
  countMembers(): number
  /** Called when a batch is on disk, before anything of it is reported. @param first The first edit's sequence number, 0 if there are no edits. */
  onBatch(edits: readonly DocumentEdit[], first: number): void
  /** Called for each edit in the order of the commits, before its author is answered. */
  onCommitted(edit: CommittedEdit): void
  /** Called in the same turn, when all of the batch is reported. */
  onBatchReported(edits: readonly DocumentEdit[]): void
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
  readonly #queue: AppendQueue<CommitEntry>
  readonly #pacing = new BatchPacing()

  constructor(options: CommitQueueOptions) {
    this.#options = options
    this.#queue = new AppendQueue({
      ...options,
      waitForBatch: (countWaiting) => this.#pacing.waitForBatch(options.countMembers(), countWaiting),
      onCommitted: (entries, edits, first) => this.#reportBatch(entries, edits, first),
      onFault: (error, entries) => this.#abandon(error, entries),
    })
  }

  /** How many entries wait, besides those of the batch that is being appended. */
  get length(): number {
    return this.#queue.length
  }

  /** True if every entry is reported. */
  get isSettled(): boolean {
    return this.#queue.isSettled
  }

  /** True if the store refused the batch when it was last offered. */
  get isFailing(): boolean {
    return this.#queue.isFailing
  }

  /** True if the room has so many members that edits wait for each other. */
  get isBusy(): boolean {
    return pauseMsFor(this.#options.countMembers()) > 0
  }

  /** True for an edit of this room that is not reported yet. */
  holds(update: Uint8Array): boolean {
    return this.#queue.pending.some(({ edit }) => edit && areEqual(edit.update, update))
  }

  /** @param edit Null if there is nothing new to append: the author is answered when everything before it is on disk. */
  add(edit: DocumentEdit | null, clocks: Clocks, author: RoomMember | null): QueuedEdit {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const answer = (refusal: RoomRefusal | null): void => (refusal ? reject(refusal) : resolve())
    const entry: CommitEntry = { edit, clocks, author, refusal: null, answer }
    if (author) author.uncommittedEdits += 1
    this.#queue.add(entry)
    return new QueuedEdit(entry, promise)
  }

  addRemote(remote: RemoteEdit, clocks: Clocks): void {
    this.#queue.add({ ...WAITING_ENTRY, remote, clocks })
  }

  /** Runs the callback behind everything that was accepted so far. */
  runAfterAll(run: () => void): void {
    const answer = (refusal: RoomRefusal | null): void => {
      if (!refusal) run()
    }
    this.#queue.add({ ...WAITING_ENTRY, answer })
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

  whenSettled(): Promise<void> {
    return this.#queue.whenSettled()
  }

  /** Gives up what the store did not take; nobody received `saved` for it. */
  close(): void {
    this.#queue.close()
    this.#pacing.stop()
  }

  #runAfterAllUnlessLong(run: () => void): void {
    if (this.length < MAX_QUEUED_FOR_PRESENCE) this.runAfterAll(run)
  }

  #reportBatch(entries: readonly CommitEntry[], edits: readonly DocumentEdit[], first: number): void {
    this.#options.onBatch(edits, first)
    let sequence = first
    for (const entry of entries) this.#report(entry, entry.edit ? sequence++ : 0)
    this.#options.onBatchReported(edits)
  }

  #report({ edit, remote, clocks, author, refusal, answer }: CommitEntry, sequence: number): void {
    if (author) author.uncommittedEdits -= 1
    const stored = remote ?? (edit && { update: edit.update, sequence })
    if (stored) this.#options.onCommitted({ ...stored, clocks, author })
    answer(refusal)
  }

  #abandon(error: unknown, entries: readonly CommitEntry[]): void {
    this.#options.onFault(
      error,
      entries.flatMap(({ edit }) => edit ?? []),
    )
    const refusal = new RoomRefusal(ROOM_RELOADING)
    for (const { answer } of entries) answer(refusal)
  }
}

const areEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && Buffer.compare(a, b) === 0
