/**
 * The text of a room in two shapes: what is on disk as the store has it, to be sent as it is; and a Y.Doc, made of that when an
 * edit or a comparison first needs one. The document runs ahead of the disk by the room's queue, and those edits are kept, so that
 * a document that took in half an edit can be thrown away and made anew. Knows Yjs; does not know seats.
 */
import * as Y from 'yjs'
import { type Loaded, StoreError } from '../store/store.ts'
import { checkRepeats } from './check-repeats.ts'
import { type Checked, type CheckRepeats, checkUpdate, type Clocks } from './check-update.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'
import { packUpdate } from './pack-update.ts'
import { withoutPause } from './pauses.ts'
import type { DecodedUpdate } from './read-update.ts'
import { Tail } from './tail.ts'
import { isShort, RoomDoc, takeIn, takeInSteps } from './take-in.ts'

/** In a tail of less, edits are counted rather than their bytes. */
const MAX_TAIL_BYTES = 64 * 1024
/** Two frames: less is there as soon. */
const MIN_PACKED_BYTES = 16 * 1024

/** To decode as much takes some 10 ms or, of text typed here and there, ten times as long: more goes to a worker. */
export const LARGE_TEXT_BYTES = 1024 * 1024
/** A text in pieces is taken in for so long, and then everybody else has a turn. */
const SLICE_MS = 8

interface StoredMark {
  readonly compactions: number
  readonly count: number
}

/** What `RoomText.of` decodes: nothing of a snapshot whose state vector lies beside it. */
export const decodedBytes = ({ updates, logLength, stateVector }: Loaded): number =>
  updates.slice(stateVector ? updates.length - logLength : 0).reduce((sum, { length }) => sum + length, 0)

/** What several edits bring in one transaction. Its end takes time with all of it, and nothing stops that. */
const MAX_GROUP_BYTES = 16 * 1024

interface CostedEdit {
  readonly checked: Checked
  readonly cost: IntegrationCost
}

export class RoomText {
  /** The state vector of the document, or of what is on disk while there is none. */
  readonly known = new Map<number, number>()
  #base: Uint8Array | null = null
  #packed: Uint8Array | null = null
  readonly #tail = new Tail()
  /** In the document and not on disk yet, in the order in which they were taken in. */
  readonly #ahead = new Set<Uint8Array>()
  #doc: RoomDoc | null = null
  #compactions = 0

  /**
   * @param known The state vector of all that was loaded, where somebody has worked it out.
   * @throws {StoreError} D4: for what Yjs cannot read, and for edits that build on edits that are not there.
   */
  static of(loaded: Loaded, known?: Uint8Array): RoomText {
    const text = new RoomText()
    const { updates, logLength } = loaded
    if (updates.length > logLength) text.#base = updates[0]!
    for (const update of updates.slice(updates.length - logLength)) text.#tail.add(update)
    try {
      if (known) text.know(Y.decodeStateVector(known))
      else text.#learn(loaded)
    } catch (error) {
      if (!(error instanceof RoomRefusal)) throw error
      text.known.clear()
      text.know(clocksOf(text.doc))
    }
    return text
  }

  get isMade(): boolean {
    return this.#doc !== null
  }

  /** The document holds edits that are not on disk yet. */
  get isAhead(): boolean {
    return this.#ahead.size > 0
  }

  /** Of what is on disk. */
  get bytes(): number {
    return (this.#base?.length ?? 0) + this.#tail.bytes
  }

  /** To decode it takes so long that others would notice. */
  get isLarge(): boolean {
    return this.bytes > LARGE_TEXT_BYTES
  }

  /** There is more behind the snapshot than in it, and all of that would be decoded by whoever loads it. */
  get isTopHeavy(): boolean {
    return this.#tail.bytes > Math.max(MAX_TAIL_BYTES, this.#base?.length ?? 0)
  }

  /** What is on disk, in the order of the commits. */
  get stored(): Uint8Array[] {
    return this.#base ? [this.#base, ...this.#tail.updates] : this.#tail.updates
  }

  /** To ask later what is stored since. */
  get storedMark(): StoredMark {
    return { compactions: this.#compactions, count: this.#tail.count }
  }

  /** Null where it was put into a snapshot meanwhile. */
  storedSince({ compactions, count }: StoredMark): Uint8Array[] | null {
    return compactions === this.#compactions ? this.#tail.updates.slice(count) : null
  }

  /** The first of what is stored as it travels. Null where it is short, and until it is packed. */
  get packed(): Uint8Array | null {
    return this.#packed
  }

  /** Never rejects: unpacked it goes, too. */
  async pack(): Promise<void> {
    const base = this.#base
    if (!base || base.length < MIN_PACKED_BYTES) return
    const bytes = await packUpdate(base)
    if (base === this.#base) this.#packed = bytes
  }

  /** Throws where Yjs refuses what is stored. */
  get doc(): RoomDoc {
    return (this.#doc ??= this.#make())
  }

  /** With pauses between the pieces, in which nothing may be written. @param pieces As `piecesOf`. @throws {StoreError} */
  async makeFrom(pieces: readonly Uint8Array[]): Promise<void> {
    const doc = new RoomDoc()
    let began = performance.now()
    for (const piece of pieces) {
      doc.transact(() => Y.applyUpdate(doc, piece))
      if (performance.now() - began < SLICE_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      began = performance.now()
    }
    this.#doc ??= whole(doc)
  }

  know(clocks: Clocks): void {
    for (const [client, clock] of clocks) this.known.set(client, clock)
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
  ): Checked {
    const repeats: CheckRepeats = (structs, ds) => checkRepeats(doc(), this.known, structs, ds, cost)
    return checkUpdate(this.known, update, repeats, cost, decoded)
  }

  /** It may be taken in later, with what others say meanwhile. */
  mayWait(checked: Checked): boolean {
    return this.#doc !== null && !this.isLarge && checked.structs.length > 0 && isShort(this.#doc, checked)
  }

  /** False: all of it was there already. Where it throws, `dropHalf` is to be called. */
  takeIn(checked: Checked, cost?: IntegrationCost): boolean {
    return withoutPause(this.takeInSteps(checked, cost))
  }

  /** The same with pauses, in which nobody else may look at the document or write in it. */
  *takeInSteps(checked: Checked, cost?: IntegrationCost): Generator<undefined, boolean> {
    const isNews = yield* takeInSteps(this.doc, checked, cost)
    this.know(checked.clocks)
    if (isNews) this.#ahead.add(checked.update)
    return isNews
  }

  /** Returns all that it changed, as one update. Where it throws, `dropHalf` is to be called. */
  change(run: (doc: Y.Doc) => void): { update: Uint8Array; clocks: Clocks } | null {
    this.doc.isHalfTaken = true
    const update = changeOf(this.doc, run)
    this.doc.isHalfTaken = false
    if (!update) return null
    const clocks = Y.parseUpdateMeta(update).to
    this.know(clocks)
    this.#ahead.add(update)
    return { update, clocks }
  }

  /** Throws away the document where it holds half an edit. */
  dropHalf(): void {
    const half = this.#doc
    if (!half?.isHalfTaken) return
    this.#doc = null
    destroy(half)
  }

  /** Where edits are known that were never taken in: forgets them. Throws where Yjs cannot take in what is stored. */
  forgetUntaken(): void {
    this.dropHalf()
    this.known.clear()
    this.know(clocksOf(this.doc))
  }

  /**
   * Many in one transaction: each costs Yjs as much as an edit, and more with every writer it knows. Where it throws, `forgetUntaken`
   * is to be called, and the document then holds none of them.
   */
  takeInAll(all: readonly CostedEdit[]): void {
    const { doc } = this
    try {
      for (const some of smallGroups(all)) {
        const takeInSome = (): void => {
          for (const { checked, cost } of some) cost.spend(() => takeIn(doc, checked, cost))
        }
        if (some.length === 1) takeInSome()
        else Y.transact(doc, takeInSome, null, false)
      }
    } catch (error) {
      doc.isHalfTaken = true
      throw error
    }
    for (const { checked } of all) this.#ahead.add(checked.update)
  }

  committed(update: Uint8Array): void {
    this.#ahead.delete(update)
    this.#tail.add(update)
  }

  /** From now on the snapshot stands for all that is on disk but the last so many. */
  compacted(snapshot: Uint8Array, later: number): void {
    this.#base = snapshot
    this.#packed = null
    this.#compactions += 1
    this.#tail.drop(Math.max(0, this.#tail.count - later))
  }

  destroy(): void {
    destroy(this.#doc)
    this.#doc = null
  }

  /** What Yjs would know after all of it, found without a document. */
  #learn({ updates, logLength, stateVector }: Loaded): void {
    if (this.#base)
      this.know(stateVector ? Y.decodeStateVector(stateVector) : Y.parseUpdateMeta(this.#base).to)
    // A copy: what is checked is decoded by Yjs, which trusts the lengths it reads.
    for (const update of updates.slice(updates.length - logLength))
      this.know(checkUpdate(this.known, update.slice(), undefined, null).clocks)
  }

  #make(): RoomDoc {
    const doc = new RoomDoc()
    doc.transact(() => {
      for (const update of [...this.stored, ...this.#ahead]) Y.applyUpdate(doc, update)
    })
    return whole(doc)
  }
}

function whole(doc: RoomDoc): RoomDoc {
  const { pendingStructs, pendingDs } = doc.store
  if (pendingStructs || pendingDs) throw new StoreError('The stored edits build on edits that are not stored')
  return doc
}

function smallGroups(all: readonly CostedEdit[]): CostedEdit[][] {
  const groups: CostedEdit[][] = []
  let bytes = Infinity
  for (const one of all) {
    bytes += one.checked.update.length
    if (bytes > MAX_GROUP_BYTES) {
      groups.push([])
      bytes = one.checked.update.length
    }
    groups.at(-1)!.push(one)
  }
  return groups
}

const clocksOf = (doc: Y.Doc): Clocks => Y.decodeStateVector(Y.encodeStateVector(doc))

/** What is thrown away may be broken in any way, and so break again while it is taken apart. */
function destroy(doc: Y.Doc | null): void {
  try {
    doc?.destroy()
  } catch {
    // Nobody refers to it any more.
  }
}

function changeOf(doc: Y.Doc, run: (doc: Y.Doc) => void): Uint8Array | null {
  let made: Uint8Array | null = null
  const take = (update: Uint8Array): void => {
    made = update
  }
  doc.on('update', take)
  try {
    doc.transact(() => run(doc))
  } finally {
    doc.off('update', take)
  }
  return made
}
