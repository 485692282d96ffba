/**
 * The text of a room in two forms: the stored bytes, sent unchanged; and a Y.Doc, built from them when an edit or a comparison first
 * needs one. The Y.Doc runs ahead of the disk by the room's queue. Those edits are kept, so that a Y.Doc that holds half an edit can
 * be thrown away and built again. Knows Yjs; does not know members.
 */
import * as Y from 'yjs'
import { countStructs, hasPendingStructs } from '../../lib/yjs-internals/struct-store.ts'
import { type LoadedPart, StoreError } from '../store/store.ts'
import { checkRepeats } from './check-repeats.ts'
import { type CheckedUpdate, type CheckRepeats, checkUpdate } from './check-update.ts'
import type { Clocks } from './clocks.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { packUpdate } from './pack-update.ts'
import { runAllSteps } from './run-steps.ts'
import type { DecodedUpdate } from './read-update.ts'
import { LogTail } from './log-tail.ts'
import { countMemoryInSteps } from './count-memory.ts'
import { addCounts, type MemoryCount, memoryBytesOf } from './memory-count.ts'
import { TextMemory } from './text-memory.ts'
import { isShortUpdate, RoomDoc, integrateUpdate, integrateUpdateInSteps } from './integrate-update.ts'

/** A shorter log is never compacted for its bytes, only for its number of edits. */
const MAX_TAIL_BYTES = 64 * 1024
/** Two frames: packing a shorter snapshot would not make it arrive sooner. */
const MIN_PACKED_BYTES = 16 * 1024

/** Decoding this much takes some 10 ms, or 30 ms for 17,000 items of a text typed here and there: more goes to a worker. */
export const LARGE_TEXT_BYTES = 1024 * 1024
const LARGE_TEXT_MEMORY = 4 * 1024 * 1024
/** How long a text in pieces is integrated before other work has a turn. */
const SLICE_MS = 8

interface LogPosition {
  readonly compactions: number
  readonly count: number
}

/** Counts each of the updates. */
export function* countLoadedInSteps({ updates, logLength }: LoadedPart): Generator<undefined, MemoryCount[]> {
  const counts: MemoryCount[] = []
  for (const [index, update] of updates.entries())
    counts.push(yield* countMemoryInSteps(update, { isSnapshot: index < updates.length - logLength }))
  return counts
}

/** Whether `RoomText.fromLoaded` decodes little: nothing of a snapshot whose state vector is stored beside it. */
export function isQuickToLoad(
  { updates, logLength, stateVector }: LoadedPart,
  counts: readonly MemoryCount[],
): boolean {
  const decoded = sumOf(counts.slice(stateVector ? updates.length - logLength : 0))
  return !isLargeText(decoded.bytes, memoryBytesOf(decoded))
}

const isLargeText = (bytes: number, memoryBytes: number): boolean =>
  bytes > LARGE_TEXT_BYTES || memoryBytes > LARGE_TEXT_MEMORY

/** Limits the edits of one transaction, because its end takes time for all of them and cannot be interrupted. */
const MAX_GROUP_BYTES = 16 * 1024

interface EditWithCost {
  readonly checked: CheckedUpdate
  readonly cost: IntegrationCost
}

export class RoomText {
  /** The state vector of the Y.Doc, or of what is on disk while there is none. */
  readonly clocks = new Map<number, number>()
  readonly #memory: TextMemory
  #snapshot: Uint8Array | null = null
  /** The last log entry that the snapshot contains. */
  #snapshotEnd = 0
  #packed: Uint8Array | null = null
  readonly #logTail = new LogTail()
  /** Edits that are in the Y.Doc and not on disk yet, in the order of their integration. */
  readonly #uncommitted = new Set<Uint8Array>()
  #uncommittedBytes = 0
  #doc: RoomDoc | null = null
  #compactions = 0

  constructor(memory: MemoryCount) {
    this.#memory = new TextMemory(memory)
  }

  /**
   * @param stateVector The state vector of all that was loaded, if a worker has computed it.
   * @param counts As `countLoadedInSteps` returns them.
   * @throws {StoreError} for bytes that Yjs cannot read, and for edits that build on edits that are not stored (D4).
   */
  static fromLoaded(
    loaded: LoadedPart,
    stateVector?: Uint8Array,
    counts: readonly MemoryCount[] = runAllSteps(countLoadedInSteps(loaded)),
  ): RoomText {
    const text = new RoomText(sumOf(counts))
    const { updates, logLength, sequence } = loaded
    if (updates.length > logLength) text.#snapshot = updates[0]!
    text.#snapshotEnd = sequence - logLength
    for (const [index, update] of updates.slice(updates.length - logLength).entries())
      text.#logTail.add(update, text.#snapshotEnd + 1 + index)
    try {
      if (stateVector) text.advanceClocks(Y.decodeStateVector(stateVector))
      else text.#readClocks(loaded)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      text.clocks.clear()
      text.advanceClocks(clocksOf(text.doc))
    }
    return text
  }

  get isDocBuilt(): boolean {
    return this.#doc !== null
  }

  /** True if the Y.Doc holds edits that are not on disk yet. */
  get hasUncommitted(): boolean {
    return this.#uncommitted.size > 0
  }

  /** How many bytes are on disk. */
  get bytes(): number {
    return (this.#snapshot?.length ?? 0) + this.#logTail.bytes
  }

  /** What the Y.Doc takes, or would take: an upper bound. While it holds part of an edit, the structs that are known of are not counted anew. */
  get memoryBytes(): number {
    const doc = this.#doc?.isHalfIntegrated ? null : this.#doc
    return this.#memory.bytes(this.clocks.size, doc && (() => countStructs(doc)))
  }

  /** True if decoding the text, with what is not on disk yet, takes so long that others would notice. */
  get isLarge(): boolean {
    return isLargeText(this.bytes + this.#uncommittedBytes, this.memoryBytes)
  }

  /** Counts an edit that is about to be taken in. */
  addMemory(count: MemoryCount): void {
    this.#memory.add(count)
  }

  /** The edit was refused after it was counted. */
  removeMemory(count: MemoryCount): void {
    this.#memory.remove(count)
  }

  /** The text was measured whole, and nothing came meanwhile. A Y.Doc that was built of so much more is built again. */
  setMeasured(count: MemoryCount): void {
    if (memoryBytesOf(count) < this.memoryBytes / 2) this.destroy()
    this.#memory.set(count)
  }

  /** True if the log is larger than the snapshot: each load would decode all of the log. */
  get isLogLargerThanSnapshot(): boolean {
    return this.#logTail.bytes > Math.max(MAX_TAIL_BYTES, this.#snapshot?.length ?? 0)
  }

  /** What is on disk, in the order of the commits. */
  get stored(): Uint8Array[] {
    return this.#snapshot ? [this.#snapshot, ...this.#logTail.updates] : this.#logTail.updates
  }

  /** A mark for a later call of `storedSince`. */
  get storedPosition(): LogPosition {
    return { compactions: this.#compactions, count: this.#logTail.count }
  }

  /** Returns what was stored since the mark; null if a snapshot replaced the log meanwhile. */
  storedSince({ compactions, count }: LogPosition): Uint8Array[] | null {
    return compactions === this.#compactions ? this.#logTail.updates.slice(count) : null
  }

  /** The snapshot, packed as on the wire. Null if it is short, and until it is packed. */
  get packed(): Uint8Array | null {
    return this.#packed
  }

  /** Never rejects, since the snapshot can also be sent unpacked. */
  async pack(): Promise<void> {
    const snapshot = this.#snapshot
    if (!snapshot || snapshot.length < MIN_PACKED_BYTES) return
    const bytes = await packUpdate(snapshot)
    if (snapshot === this.#snapshot) this.#packed = bytes
  }

  /** Throws if Yjs refuses what is stored. */
  get doc(): RoomDoc {
    return (this.#doc ??= this.#countBuilt(this.#buildDoc()))
  }

  /** Pauses between the pieces; nothing may be written meanwhile. @param pieces As `piecesOf` returns them. @throws {StoreError} */
  async buildDocFrom(pieces: readonly Uint8Array[]): Promise<void> {
    const doc = new RoomDoc()
    let startedAt = performance.now()
    for (const piece of pieces) {
      doc.transact(() => Y.applyUpdate(doc, piece))
      if (performance.now() - startedAt < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      startedAt = performance.now()
    }
    this.#doc ??= this.#countBuilt(requireNothingPending(doc))
  }

  advanceClocks(clocks: Clocks): void {
    for (const [client, clock] of clocks) this.clocks.set(client, clock)
  }

  /**
   * @param doc Called if the update repeats known text: returns a Y.Doc that holds all of that text.
   * @param decoded The decoded update, if there is one already.
   */
  check(
    update: Uint8Array,
    doc = (): Y.Doc => this.doc,
    cost?: IntegrationCost,
    decoded?: DecodedUpdate,
  ): CheckedUpdate {
    const repeats: CheckRepeats = (structs, ds) => checkRepeats(doc(), this.clocks, structs, ds, cost)
    return checkUpdate(this.clocks, update, repeats, cost, decoded)
  }

  /** True if the edit may be integrated later, together with the edits of others. */
  mayDefer(checked: CheckedUpdate): boolean {
    return (
      this.#doc !== null && !this.isLarge && checked.structs.length > 0 && isShortUpdate(this.#doc, checked)
    )
  }

  /** Returns false if all of the edit was there already. If it throws, `discardHalfIntegrated` has to be called. */
  integrate(checked: CheckedUpdate, cost?: IntegrationCost): boolean {
    return runAllSteps(this.integrateInSteps(checked, cost))
  }

  /** The same with pauses, in which nobody else may read the Y.Doc or write in it. */
  *integrateInSteps(checked: CheckedUpdate, cost?: IntegrationCost): Generator<undefined, boolean> {
    const isNew = yield* integrateUpdateInSteps(this.doc, checked, cost)
    this.advanceClocks(checked.clocks)
    if (isNew) this.#addUncommitted(checked.update)
    return isNew
  }

  /** Returns all that `run` changed, as one update, and the clocks before and after. If it throws, `discardHalfIntegrated` has to be called. */
  changeDoc(run: (doc: Y.Doc) => void): { update: Uint8Array; from: Clocks; clocks: Clocks } | null {
    this.doc.isHalfIntegrated = true
    const update = updateMadeBy(this.doc, run)
    this.doc.isHalfIntegrated = false
    if (!update) return null
    const clocks = Y.parseUpdateMeta(update).to
    const from = new Map(Array.from(clocks.keys(), (client) => [client, this.clocks.get(client) ?? 0]))
    this.advanceClocks(clocks)
    this.#addUncommitted(update)
    return { update, from, clocks }
  }

  /** Throws the Y.Doc away if it holds half an edit. */
  discardHalfIntegrated(): void {
    const brokenDoc = this.#doc
    if (!brokenDoc?.isHalfIntegrated) return
    this.#doc = null
    destroyDoc(brokenDoc)
  }

  /** Forgets deferred edits, whose clocks are known but which are not integrated. Throws if Yjs cannot apply what is stored. */
  forgetDeferred(): void {
    this.discardHalfIntegrated()
    this.clocks.clear()
    this.advanceClocks(clocksOf(this.doc))
  }

  /**
   * Integrates many edits in one transaction, since each transaction costs Yjs as much as an edit, and more with every client id in
   * the document. If it throws, `forgetDeferred` has to be called, and the Y.Doc then holds none of them.
   */
  integrateAll(edits: readonly EditWithCost[]): void {
    const { doc } = this
    try {
      for (const group of groupBySize(edits)) {
        const integrateGroup = (): void => {
          for (const { checked, cost } of group) integrateUpdate(doc, checked, cost)
        }
        if (group.length === 1) {
          integrateGroup()
          continue
        }
        Y.transact(doc, integrateGroup, null, false)
        const units = doc.takeEndUnits()
        for (const { cost } of group) cost.countDone(units / group.length)
      }
    } catch (error) {
      doc.isHalfIntegrated = true
      throw error
    }
    for (const { checked } of edits) this.#addUncommitted(checked.update)
  }

  /**
   * Takes in edits that another node has checked and stored; they follow each other, and what this text has. Of long ones the Y.Doc is
   * built again when it is next needed, with pauses. @param clocks Those after each. @throws {StoreError} if one builds on text that is
   * not there.
   */
  integrateRemote(updates: readonly Uint8Array[], clocks: readonly Clocks[]): void {
    if (updates.reduce((sum, { length }) => sum + length, 0) > LARGE_TEXT_BYTES) this.destroy()
    const doc = this.#doc
    if (doc) {
      doc.isHalfIntegrated = true
      doc.transact(() => updates.forEach((update) => Y.applyUpdate(doc, update)))
      requireNothingPending(doc)
      doc.isHalfIntegrated = false
    }
    for (const [client, clock] of clocks.flatMap((each) => [...each]))
      this.clocks.set(client, Math.max(clock, this.clocks.get(client) ?? 0))
    for (const update of updates) this.#addUncommitted(update)
  }

  /** @param sequence Where the edit stands in the log. */
  addStored(update: Uint8Array, sequence: number): void {
    if (this.#uncommitted.delete(update)) this.#uncommittedBytes -= update.length
    if (sequence > this.#snapshotEnd) this.#logTail.add(update, sequence)
  }

  /** From now on the snapshot stands for all stored edits up to this sequence number. */
  onCompacted(snapshot: Uint8Array, sequence: number): void {
    this.#snapshot = snapshot
    this.#snapshotEnd = sequence
    this.#packed = null
    this.#compactions += 1
    this.#logTail.dropThrough(sequence)
  }

  /** The Y.Doc is built again when it is next needed; nothing of it is lost. */
  destroy(): void {
    destroyDoc(this.#doc)
    this.#doc = null
  }

  #countBuilt(doc: RoomDoc): RoomDoc {
    this.#memory.setBuilt(countStructs(doc))
    return doc
  }

  #addUncommitted(update: Uint8Array): void {
    this.#uncommitted.add(update)
    this.#uncommittedBytes += update.length
  }

  /** Computes without a Y.Doc the state vector that Yjs would have after all updates. */
  #readClocks({ updates, logLength, stateVector }: LoadedPart): void {
    if (this.#snapshot)
      this.advanceClocks(
        stateVector ? Y.decodeStateVector(stateVector) : Y.parseUpdateMeta(this.#snapshot).to,
      )
    // The check gets a copy, because Yjs decodes it and trusts the lengths that it reads.
    for (const update of updates.slice(updates.length - logLength))
      this.advanceClocks(checkUpdate(this.clocks, update.slice(), undefined, null).clocks)
  }

  #buildDoc(): RoomDoc {
    const doc = new RoomDoc()
    doc.transact(() => {
      for (const update of [...this.stored, ...this.#uncommitted]) Y.applyUpdate(doc, update)
    })
    return requireNothingPending(doc)
  }
}

const sumOf = (counts: readonly MemoryCount[]): MemoryCount => counts.reduce(addCounts, NOTHING)

const NOTHING: MemoryCount = { bytes: 0, structs: 0, contentBytes: 0, deleted: 0 }

function requireNothingPending(doc: RoomDoc): RoomDoc {
  if (hasPendingStructs(doc)) throw new StoreError('The stored edits build on edits that are not stored')
  return doc
}

function groupBySize(edits: readonly EditWithCost[]): EditWithCost[][] {
  const groups: EditWithCost[][] = []
  let bytes = Infinity
  for (const edit of edits) {
    bytes += edit.checked.update.length
    if (bytes > MAX_GROUP_BYTES) {
      groups.push([])
      bytes = edit.checked.update.length
    }
    groups.at(-1)!.push(edit)
  }
  return groups
}

const clocksOf = (doc: Y.Doc): Clocks => Y.decodeStateVector(Y.encodeStateVector(doc))

/** Ignores errors, because a broken Y.Doc may throw again while it is destroyed. */
function destroyDoc(doc: Y.Doc | null): void {
  try {
    doc?.destroy()
  } catch {
    // Nobody refers to it any more.
  }
}

function updateMadeBy(doc: Y.Doc, run: (doc: Y.Doc) => void): Uint8Array | null {
  let captured: Uint8Array | null = null
  const capture = (update: Uint8Array): void => {
    captured = update
  }
  doc.on('update', capture)
  try {
    doc.transact(() => run(doc))
  } finally {
    doc.off('update', capture)
  }
  return captured
}
