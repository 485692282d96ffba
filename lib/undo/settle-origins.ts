/**
 * Makes sure that restored pieces stand where they stood, and at the same place in every replica. Yjs names two neighbours for each
 * piece. It looks for them by the copies of the piece's former neighbours, and is kept from the copies that lead astray
 * (struct-ranges.ts). Even so, the right neighbour that Yjs names may stand left of the left one. Another replica then puts the piece
 * elsewhere, and no state vector shows it. So the neighbours are named anew, by where the piece stands here, before the update leaves
 * this window.
 */
import * as Y from 'yjs'
import { structsOf } from '../yjs-internals/struct-store.ts'
import { firstItemOf } from '../yjs-internals/shared-type.ts'
import { bypassCopies, linkToRedone, type RedoneRange, splitLikeRedone } from './struct-ranges.ts'

/**
 * Applies to all that this manager restores, for as long as its document lives.
 * @param redone What was restored, in that order: it changes.
 */
export function settleOriginsOf(manager: Y.UndoManager, redone: readonly RedoneRange[]): void {
  let bypassed: readonly RedoneRange[] = []
  manager.doc.on('beforeTransaction', (transaction) => {
    if (transaction.origin !== manager) return
    splitLikeRedone(transaction, redone)
    const steps = manager.undoing ? manager.undoStack : manager.redoStack
    const deletions = Y.mergeDeleteSets(steps.map((step) => step.deletions))
    bypassed = bypassCopies(transaction, redone, deletions)
  })
  manager.doc.on('beforeObserverCalls', (transaction) => {
    if (transaction.origin !== manager) return
    linkToRedone(transaction, bypassed)
    settleOrigins(transaction)
  })
}

/** Settles the pieces that this transaction created, in the time that it takes to walk through their siblings. */
function settleOrigins({ doc, beforeState }: Y.Transaction): void {
  const structs = structsOf(doc, doc.clientID) ?? []
  const first = beforeState.get(doc.clientID) ?? 0
  const isNew = (item: Y.Item): boolean => item.id.client === doc.clientID && item.id.clock >= first
  const parents = new Set<Y.AbstractType<unknown>>()
  for (const struct of structs)
    if (struct instanceof Y.Item && isNew(struct) && struct.parentSub === null && isType(struct.parent))
      parents.add(struct.parent)
  for (const parent of parents) settleChildren(parent, isNew)
}

const isType = (parent: Y.Item['parent']): parent is Y.AbstractType<unknown> =>
  parent instanceof Y.AbstractType

function settleChildren(parent: Y.AbstractType<unknown>, isNew: (item: Y.Item) => boolean): void {
  const items: Y.Item[] = []
  for (let item = firstItemOf(parent); item; item = item.right) items.push(item)
  assignOrigins(items, isNew, (item, left) => (item.origin = left ? left.lastId : null))
  assignOrigins(items.toReversed(), isNew, (item, right) => (item.rightOrigin = right ? right.id : null))
}

/** Assigns to each new item the nearest earlier item that is older: every receiver has that one already. */
function assignOrigins(
  items: readonly Y.Item[],
  isNew: (item: Y.Item) => boolean,
  assign: (item: Y.Item, neighbour: Y.Item | undefined) => void,
): void {
  const ageOf = (item: Y.Item): number => (isNew(item) ? item.id.clock : -1)
  const older: Y.Item[] = []
  for (const item of items) {
    const age = ageOf(item)
    while (older.length > 0 && ageOf(older.at(-1)!) > age) older.pop()
    if (age >= 0) assign(item, older.at(-1))
    older.push(item)
  }
}
