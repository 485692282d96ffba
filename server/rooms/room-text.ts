/**
 * The text of a room in two shapes: what is on disk as the store has it, to be sent as it is; and a Y.Doc, made of that when an
 * edit or a comparison first needs one. The document runs ahead of the disk by the room's queue, and those edits are kept, so that
 * a document that took in half an edit can be thrown away and made anew. Knows Yjs; does not know seats.
 */
import * as Y from 'yjs'
import { type LoadedPart, StoreError } from '../store/store.ts'
import { checkRepeats } from './check-repeats.ts'
import { type CheckedUpdate, type CheckRepeats, checkUpdate, type Clocks } from './check-update.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { packUpdate } from './pack-update.ts'
import { runAllSteps } from './run-steps.ts'
import type { DecodedUpdate } from './read-update.ts'
import { LogTail } from './log-tail.ts'
import { isShortUpdate, RoomDoc, integrateUpdate, integrateUpdateInSteps } from './integrate-update.ts'

/** In a tail of less, edits are counted rather than their bytes. */
const MAX_TAIL_BYTES = 64 * 1024
/** Two frames: less is there as soon. */
const MIN_PACKED_BYTES = 16 * 1024

/** To decode as much takes some 10 ms or, of text typed here and there, ten times as long: more goes to a worker. */
export const LARGE_TEXT_BYTES = 1024 * 1024
/** A text in pieces is taken in for so long, and then everybody else has a turn. */
const SLICE_MS = 8

interface LogPosition {
  readonly compactions: number
  readonly count: number
}

/** What `RoomText.of` decodes: nothing of a snapshot whose state vector lies beside it. */
export const decodedBytesOf = ({ updates, logLength, stateVector }: LoadedPart): number =>
  updates.slice(stateVector ? updates.length - logLength : 0).reduce((sum, { length }) => sum + length, 0)

/** What several edits bring in one transaction. Its end takes time with all of it, and nothing stops that. */
const MAX_GROUP_BYTES = 16 * 1024

interface EditWithCost {
  readonly checked: CheckedUpdate
  readonly cost: IntegrationCost
}

export class RoomText {
  /** The state vector of the document, or of what is on disk while there is none. */
  readonly clocks = new Map<number, number>()
  #snapshot: Uint8Array | null = null
  #packed: Uint8Array | null = null
  readonly #logTail = new LogTail()
  /** In the document and not on disk yet, in the order in which they were taken in. */
  readonly #uncommitted = new Set<Uint8Array>()
  #doc: RoomDoc | null = null
  #compactions = 0

  /**
   * @param stateVector The state vector of all that was loaded, where somebody has worked it out.
   * @throws {StoreError} D4: for what Yjs cannot read, and for edits that build on edits that are not there.
   */
  static fromLoaded(loaded: LoadedPart, stateVector?: Uint8Array): RoomText {
    const text = new RoomText()
    const { updates, logLength } = loaded
    if (updates.length > logLength) text.#snapshot = updates[0]!
    for (const update of updates.slice(updates.length - logLength)) text.#logTail.add(update)
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

  /** The document holds edits that are not on disk yet. */
  get hasUncommitted(): boolean {
    return this.#uncommitted.size > 0
  }

  /** Of what is on disk. */
  get bytes(): number {
    return (this.#snapshot?.length ?? 0) + this.#logTail.bytes
  }

  /** To decode it takes so long that others would notice. */
  get isLarge(): boolean {
    return this.bytes > LARGE_TEXT_BYTES
  }

  /** There is more behind the snapshot than in it, and all of that would be decoded by whoever loads it. */
  get isLogLargerThanSnapshot(): boolean {
    return this.#logTail.bytes > Math.max(MAX_TAIL_BYTES, this.#snapshot?.length ?? 0)
  }

  /** What is on disk, in the order of the commits. */
  get stored(): Uint8Array[] {
    return this.#snapshot ? [this.#snapshot, ...this.#logTail.updates] : this.#logTail.updates
  }

  /** To ask later what is stored since. */
  get storedPosition(): LogPosition {
    return { compactions: this.#compactions, count: this.#logTail.count }
  }

  /** Null where it was put into a snapshot meanwhile. */
  storedSince({ compactions, count }: LogPosition): Uint8Array[] | null {
    return compactions === this.#compactions ? this.#logTail.updates.slice(count) : null
  }

  /** The first of what is stored as it travels. Null where it is short, and until it is packed. */
  get packed(): Uint8Array | null {
    return this.#packed
  }

  /** Never rejects: unpacked it goes, too. */
  async pack(): Promise<void> {
    const snapshot = this.#snapshot
    if (!snapshot || snapshot.length < MIN_PACKED_BYTES) return
    const bytes = await packUpdate(snapshot)
    if (snapshot === this.#snapshot) this.#packed = bytes
  }

  /** Throws where Yjs refuses what is stored. */
  get doc(): RoomDoc {
    return (this.#doc ??= this.#buildDoc())
  }

  /** With pauses between the pieces, in which nothing may be written. @param pieces As `piecesOf`. @throws {StoreError} */
  async buildDocFrom(pieces: readonly Uint8Array[]): Promise<void> {
    const doc = new RoomDoc()
    let startedAt = performance.now()
    for (const piece of pieces) {
      doc.transact(() => Y.applyUpdate(doc, piece))
      if (performance.now() - startedAt < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      startedAt = performance.now()
    }
    this.#doc ??= requireNothingPending(doc)
  }

  advanceClocks(clocks: Clocks): void {
    for (const [client, clock] of clocks) this.clocks.set(client, clock)
  }

  /**
   * @param doc Asked for where the update repeats what is known: all of that is in it.
   * @param decoded The update, where it has been read.
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

  /** It may be taken in later, with what others say meanwhile. */
  mayDefer(checked: CheckedUpdate): boolean {
    return (
      this.#doc !== null && !this.isLarge && checked.structs.length > 0 && isShortUpdate(this.#doc, checked)
    )
  }

  /** False: all of it was there already. Where it throws, `dropHalf` is to be called. */
  integrate(checked: CheckedUpdate, cost?: IntegrationCost): boolean {
    return runAllSteps(this.integrateInSteps(checked, cost))
  }

  /** The same with pauses, in which nobody else may look at the document or write in it. */
  *integrateInSteps(checked: CheckedUpdate, cost?: IntegrationCost): Generator<undefined, boolean> {
    const isNew = yield* integrateUpdateInSteps(this.doc, checked, cost)
    this.advanceClocks(checked.clocks)
    if (isNew) this.#uncommitted.add(checked.update)
    return isNew
  }

  /** Returns all that it changed, as one update. Where it throws, `dropHalf` is to be called. */
  changeDoc(run: (doc: Y.Doc) => void): { update: Uint8Array; clocks: Clocks } | null {
    this.doc.isHalfIntegrated = true
    const update = updateMadeBy(this.doc, run)
    this.doc.isHalfIntegrated = false
    if (!update) return null
    const clocks = Y.parseUpdateMeta(update).to
    this.advanceClocks(clocks)
    this.#uncommitted.add(update)
    return { update, clocks }
  }

  /** Throws away the document where it holds half an edit. */
  discardHalfIntegrated(): void {
    const brokenDoc = this.#doc
    if (!brokenDoc?.isHalfIntegrated) return
    this.#doc = null
    destroyDoc(brokenDoc)
  }

  /** Where edits are known that were never taken in: forgets them. Throws where Yjs cannot take in what is stored. */
  forgetDeferred(): void {
    this.discardHalfIntegrated()
    this.clocks.clear()
    this.advanceClocks(clocksOf(this.doc))
  }

  /**
   * Many in one transaction: each costs Yjs as much as an edit, and more with every writer it knows. Where it throws, `forgetUntaken`
   * is to be called, and the document then holds none of them.
   */
  integrateAll(edits: readonly EditWithCost[]): void {
    const { doc } = this
    try {
      for (const group of groupBySize(edits)) {
        const integrateGroup = (): void => {
          for (const { checked, cost } of group) cost.measure(() => integrateUpdate(doc, checked, cost))
        }
        if (group.length === 1) integrateGroup()
        else Y.transact(doc, integrateGroup, null, false)
      }
    } catch (error) {
      doc.isHalfIntegrated = true
      throw error
    }
    for (const { checked } of edits) this.#uncommitted.add(checked.update)
  }

  onCommitted(update: Uint8Array): void {
    this.#uncommitted.delete(update)
    this.#logTail.add(update)
  }

  /** From now on the snapshot stands for all that is on disk but the last so many. */
  onCompacted(snapshot: Uint8Array, laterCount: number): void {
    this.#snapshot = snapshot
    this.#packed = null
    this.#compactions += 1
    this.#logTail.drop(Math.max(0, this.#logTail.count - laterCount))
  }

  destroy(): void {
    destroyDoc(this.#doc)
    this.#doc = null
  }

  /** What Yjs would know after all of it, found without a document. */
  #readClocks({ updates, logLength, stateVector }: LoadedPart): void {
    if (this.#snapshot)
      this.advanceClocks(
        stateVector ? Y.decodeStateVector(stateVector) : Y.parseUpdateMeta(this.#snapshot).to,
      )
    // A copy: what is checked is decoded by Yjs, which trusts the lengths it reads.
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

function requireNothingPending(doc: RoomDoc): RoomDoc {
  const { pendingStructs, pendingDs } = doc.store
  if (pendingStructs || pendingDs) throw new StoreError('The stored edits build on edits that are not stored')
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

/** What is thrown away may be broken in any way, and so break again while it is taken apart. */
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
