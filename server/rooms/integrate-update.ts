/**
 * Integrates a checked edit into a Y.Doc. `Y.applyUpdate` would decode it a second time, and encode it again for listeners; here it
 * is decoded once, and its bytes are stored and broadcast as they came. Each item's place is checked first, which needs the Y.Doc.
 * Knows Yjs and the cost limits; does not know who may write.
 */
import * as Y from 'yjs'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { firstItemOf, valuesByKeyOf } from '../../lib/yjs-internals/shared-type.ts'
import {
  clientCountOf,
  clockOf,
  resolveReferences,
  type StoredStruct,
  structsOf,
} from '../../lib/yjs-internals/struct-store.ts'
import { cutStructsOf, hasListeners, skipFormattingCleanup } from '../../lib/yjs-internals/transaction.ts'
import { NeighbourCheck } from './check-neighbours.ts'
import { coversRange, REPLACEMENT_CHARACTER } from './check-repeats.ts'
import type { CheckedUpdate } from './check-update.ts'
import { checkTypeDepth, depthOf } from './check-values.ts'
import { IntegrationCost, UNITS } from './integration-cost.ts'
import { isListOfValues, mergeStructs } from './merge-structs.ts'
import { runAllSteps } from './run-steps.ts'
import type { DeleteSet, Struct } from './read-update.ts'
import { RoomRefusal } from './rooms.ts'

/**
 * How many structs and deletions one transaction holds, some 10 ms. A long edit takes several, since a transaction's end cannot be
 * interrupted: it reports each changed type to all the types around it.
 */
const MAX_STEP_STRUCTS = 4_096
/** Yjs merges fewer structs faster than a pass over a long document would. */
const MANY_STRUCTS = 64
/** Yjs visits each client of the document in each transaction, several times: half a microsecond. */
const UNITS_PER_CLIENT = 0.5
/** It makes an event for each changed type, and adds it to a list for each type around that one. */
const STEPS_PER_EVENT = 2

/**
 * Returns false if all of the edit was there already. If it throws, the Y.Doc may hold part of the edit.
 * @throws {RoomRefusal} `bad-update`, `too-costly`; whatever Yjs throws is passed on.
 */
export function integrateUpdate(doc: RoomDoc, checked: CheckedUpdate, cost?: IntegrationCost): boolean {
  return runAllSteps(integrateUpdateInSteps(doc, checked, cost))
}

/** As `integrateUpdate`, with a pause after each transaction but the last. Until it returns, the Y.Doc holds part of an edit. */
export function* integrateUpdateInSteps(
  doc: RoomDoc,
  checked: CheckedUpdate,
  cost = new IntegrationCost(checked.update.length),
): Generator<undefined, boolean> {
  const integration = new UpdateIntegration(checked, cost)
  let deleted = false
  const fill = (transaction: Y.Transaction): void => {
    integration.fill(transaction)
    deleted ||= transaction.deleteSet.clients.size > 0
  }
  Y.transact(doc, fill, null, false)
  cost.countDone(doc.takeEndUnits())
  while (!integration.isDone) {
    yield
    cost.check() // not after the last one: the work is done by then, and building the Y.Doc again would be more
    cost.addUnits(clientCountOf(doc) * UNITS_PER_CLIENT)
    Y.transact(doc, fill, null, false)
    cost.countDone(doc.takeEndUnits())
  }
  doc.isHalfIntegrated = false
  return deleted || checked.structs.length > 0
}

/** True if the edit brings and deletes so little that it needs no turns for other work in between. */
export function isShortUpdate(doc: Y.Doc, { structs, ds }: CheckedUpdate): boolean {
  let left = MANY_STRUCTS - structs.length
  for (const [client, ranges] of ds.clients) {
    const storedStructs = structsOf(doc, client) ?? []
    for (const { clock, len } of ranges) {
      left -= 1
      // What is not in the Y.Doc yet came with a deferred edit, which is short itself.
      if (clock >= clockOf(doc, client)) continue
      for (let index = Y.findIndexSS(storedStructs, clock); left >= 0; index++) {
        const struct = storedStructs[index]
        if (!struct || struct.id.clock >= clock + len) break
        left -= struct instanceof Y.Item && struct.content instanceof Y.ContentType ? MANY_STRUCTS : 1
      }
      if (left < 0) return false
    }
  }
  return left >= 0
}

class UpdateIntegration {
  readonly #structs: readonly Struct[]
  readonly #ds: DeleteSet
  readonly #deletions: readonly Deletion[]
  readonly #cost: IntegrationCost
  readonly #neighbours: NeighbourCheck
  /** Null where nothing is to be deleted. */
  readonly #deleting: Generator<number, void> | null
  #transaction: Y.Transaction | null = null
  /** Texts that this transaction has cut: what was put together of many is copied once, before the first cut. */
  readonly #cutTexts = new Set<Y.AbstractStruct>()
  #struct = 0
  #isDeleted = false

  constructor({ structs, ds }: CheckedUpdate, cost: IntegrationCost) {
    this.#structs = structs
    this.#ds = ds
    this.#deletions = [...ds.clients].flatMap(([client, ranges]) =>
      ranges.map(({ clock, len }) => ({ client, clock, end: clock + len })),
    )
    this.#cost = cost
    this.#neighbours = new NeighbourCheck(cost)
    this.#deleting = this.#deletions.length > 0 ? this.#delete() : null
  }

  get isDone(): boolean {
    return this.#isDeleted
  }

  fill(transaction: Y.Transaction): void {
    this.#cutTexts.clear()
    const deletionsBefore = deletionsIn(transaction)
    let left = MAX_STEP_STRUCTS
    for (; this.#struct < this.#structs.length && left > 0; this.#struct++, left--)
      this.#integrate(this.#structs[this.#struct]!, transaction)
    this.#transaction = transaction
    while (!this.#isDeleted && left > 0) {
      const { done = true, value } = this.#deleting?.next() ?? {}
      this.#isDeleted = done
      left -= value ?? 0
    }
    const deletions = deletionsIn(transaction)
    this.#cost.countDeletions(deletions - deletionsBefore)
    if (MAX_STEP_STRUCTS - left + deletions + cutStructsOf(transaction).length > MANY_STRUCTS)
      (transaction.doc as RoomDoc).hasManyToMerge = true
  }

  #integrate(struct: Struct, transaction: Y.Transaction): void {
    const doc = transaction.doc as RoomDoc
    this.#cost.countIntegrated()
    if (struct instanceof Y.Item) this.#place(struct, transaction)
    else if (resolveReferences(struct, transaction) !== null) throw new Error('it waits for others')
    doc.isHalfIntegrated = true
    const touched = cutStructsOf(transaction).length
    struct.integrate(transaction, 0)
    // A value that takes another one's place deletes it, and Yjs looks again at all that was deleted within it before.
    this.#cost.countIntegrated(cutStructsOf(transaction).length - touched)
    if (isListOfValues(struct)) doc.hasManyToMerge = true
  }

  /** Each cut moves the structs behind it and copies both halves. @param from How many cuts are counted already. */
  #countCuts(transaction: Y.Transaction, from: number): void {
    const cuts = cutStructsOf(transaction)
    for (let cut = from; cut < cuts.length; cut++) {
      const right = cuts[cut]!
      const structs = structsOf(transaction.doc, right.id.client)!
      const index = Y.findIndexSS(structs, right.id.clock)
      this.#cost.countMoved(structs.length - index)
      this.#countCopied(structs[index - 1]!, right)
    }
  }

  #countCopied(left: StoredStruct, right: Y.AbstractStruct): void {
    const length = left.length + right.length
    if (isListOfValues(left)) this.#cost.countCopied(length)
    if (!(left instanceof Y.Item && left.content instanceof Y.ContentString)) return
    if (!this.#cutTexts.has(left)) this.#cost.countLetters(length)
    this.#cutTexts.add(left).add(right)
  }

  #place(item: Y.Item, transaction: Y.Transaction): void {
    const { doc } = transaction
    // A root is still a name, since the item was decoded without a document.
    if (typeof item.parent === 'string') item.parent = doc.get(item.parent)
    const parentId = item.parent instanceof Y.ID ? item.parent : null
    const before = cutStructsOf(transaction).length
    const lacking = resolveReferences(item, transaction)
    // Yjs merges what it has cut, so a refused item leaves no trace. Only the halves of a letter are lost.
    if (cutStructsOf(transaction).slice(before).some(beginsWithHalf)) (doc as RoomDoc).isHalfIntegrated = true
    this.#countCuts(transaction, before)
    if (lacking !== null) throw new Error(`it waits for client ${lacking}`)
    this.#neighbours.check(item, parentId, doc)
    this.#cost.countSteps(checkTypeDepth(item))
    this.#checkEntry(item)
  }

  /**
   * A key has one value at a time. Yjs merges its earlier values into one struct, and the edit says that they are deleted. If
   * something else deleted them, a window that receives the edit merged with another one could keep a value. @throws {RoomRefusal}
   * `bad-update`
   */
  #checkEntry({ id: { client, clock }, length, parentSub, content }: Y.Item): void {
    if (length === 1 || parentSub === null || content instanceof Y.ContentDeleted) return
    if (!coversRange(this.#ds, { client, from: clock, to: clock + length }))
      throw new RoomRefusal({ code: 'bad-update', detail: serverRefusalsStrings.edit.severalValues })
  }

  /** Yields how many structs it visited. */
  *#delete(): Generator<number, void> {
    for (const { client, clock, end } of this.#deletions) {
      for (let from = clock; from < end;) {
        const structs = this.#structsOf(client)
        const first = Y.findIndexSS(structs, from)
        const last = structs[Math.min(first + MANY_STRUCTS, structs.length) - 1]!
        const to = Math.min(end, last.id.clock + last.length)
        for (const type of undeletedTypesIn(structs, first, to)) yield* this.#empty(type)
        yield this.#deleteRange(client, from, to)
        from = to
      }
    }
  }

  /** Deletes a type's content piece by piece before the type, since Yjs would delete all of it at once with the type. */
  *#empty({ type }: Y.ContentType): Generator<number, void> {
    for (let item = firstItemOf(type); item !== null;) {
      const next: Y.Item | null = item.right
      yield* this.#deleteWithin(item)
      item = next
    }
    for (const item of valuesByKeyOf(type).values()) yield* this.#deleteWithin(item)
  }

  *#deleteWithin(item: Y.Item): Generator<number, void> {
    this.#cost.countIntegrated()
    if (!item.deleted) {
      if (item.content instanceof Y.ContentType) yield* this.#empty(item.content)
      this.#markHalfIntegrated()
      item.delete(this.#transaction!)
    }
    yield 1
  }

  #deleteRange(client: number, from: number, to: number): number {
    const transaction = this.#transaction!
    this.#markHalfIntegrated()
    for (const bound of [from, to]) this.#cutAt(client, bound)
    let count = 1
    Y.iterateDeletedStructs(
      transaction,
      { clients: new Map([[client, [{ clock: from, len: to - from }]]]) },
      (struct) => {
        struct.delete(transaction)
        count += 1
      },
    )
    this.#cost.countSteps(count) // also of what is deleted already, so they are limited
    return count
  }

  #cutAt(client: number, clock: number): void {
    const transaction = this.#transaction!
    if (clock >= clockOf(transaction.doc, client)) return
    const before = cutStructsOf(transaction).length
    Y.getItemCleanStart(transaction, Y.createID(client, clock))
    this.#countCuts(transaction, before)
  }

  #structsOf(client: number): StoredStruct[] {
    return structsOf(this.#transaction!.doc, client)!
  }

  #markHalfIntegrated(): void {
    ;(this.#transaction!.doc as RoomDoc).isHalfIntegrated = true
  }
}

/** Whether a text begins with half of a letter of two code units, or with what looks like one. */
const beginsWithHalf = (struct: Y.AbstractStruct): boolean =>
  struct instanceof Y.Item &&
  struct.content instanceof Y.ContentString &&
  struct.content.str.charCodeAt(0) === REPLACEMENT_CHARACTER

/** The types up to a clock that are not deleted. */
function undeletedTypesIn(structs: readonly Struct[], first: number, end: number): Y.ContentType[] {
  const types: Y.ContentType[] = []
  for (let index = first; index < structs.length && structs[index]!.id.clock < end; index++) {
    const struct = structs[index]!
    if (struct instanceof Y.Item && !struct.deleted && struct.content instanceof Y.ContentType)
      types.push(struct.content)
  }
  return types
}

function deletionsIn({ deleteSet }: Y.Transaction): number {
  let count = 0
  for (const ranges of deleteSet.clients.values()) count += ranges.length
  return count
}

/** A range of one client's clocks; `end` is not part of it. */
interface Deletion {
  readonly client: number
  readonly clock: number
  readonly end: number
}

/**
 * After a remote edit Yjs cleans up formatting in a transaction of its own. This Y.Doc does not, because that update would not reach
 * the edit's author. It also emits no event that has no listener.
 */
export class RoomDoc extends Y.Doc {
  /** True if it holds part of an edit, or did when something threw. */
  isHalfIntegrated = false
  /** True if the running transaction leaves so much to merge that one pass over the document is faster than Yjs. */
  hasManyToMerge = false
  /** The units of work at the end of transactions since the last call of `takeEndUnits`. */
  #endUnits = 0

  takeEndUnits(): number {
    const units = this.#endUnits
    this.#endUnits = 0
    return units
  }

  override emit(...[name, args]: Parameters<Y.Doc['emit']>): void {
    if (name === 'afterTransaction') this.#afterTransaction(args[0] as Y.Transaction)
    if (hasListeners(this, name)) super.emit(name, args as never)
  }

  #afterTransaction(transaction: Y.Transaction): void {
    skipFormattingCleanup(transaction)
    for (const type of transaction.changed.keys())
      this.#endUnits += STEPS_PER_EVENT * (1 + depthOf(type)) * UNITS.step
    this.#endUnits += this.hasManyToMerge ? mergeStructs(transaction) : unitsOfFewMerges(transaction)
    this.hasManyToMerge = false
  }
}

/** Yjs removes each struct that it merges from its list. */
function unitsOfFewMerges(transaction: Y.Transaction): number {
  const { doc, deleteSet } = transaction
  let moved = 0
  for (const [client, ranges] of deleteSet.clients) moved += ranges.length * structsOf(doc, client)!.length
  for (const { id } of cutStructsOf(transaction)) moved += structsOf(doc, id.client)!.length
  return moved * UNITS.moved
}
