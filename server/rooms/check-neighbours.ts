/**
 * Checks an item's place before Yjs puts it there. An honest item names two items that were adjacent in its author's text: so the
 * right one is to the right of the left one, and its own origin is not between the two. If this does not hold, windows that receive
 * the same edits in another order, or merged, get different texts. Knows Yjs's lists; does not know their content.
 */
import * as Y from 'yjs'
import { strings } from '../../lib/strings/server-refusals.ts'
import { structAt } from '../../lib/yjs-internals/struct-store.ts'
import { firstItemOf, itemOf, valuesByKeyOf } from '../../lib/yjs-internals/shared-type.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'

type SharedType = Y.AbstractType<unknown>

/**
 * @param item After `getMissing`: its neighbours are items of the document, cut at its place.
 * @param parentId The id that the item named as its parent.
 * @throws {RoomRefusal} `bad-update` for a place that no honest author can name, `too-costly` if the search takes too long.
 */
export function checkNeighbours(
  item: Y.Item,
  parentId: Y.ID | null,
  doc: Y.Doc,
  cost: IntegrationCost,
): void {
  const { left, right, parent } = item
  if (isCollected(left) || isCollected(right)) checkCollected(left, right)
  else if (!parent) checkMissingParent(parentId, doc)
  else if (left && right) checkBetween(item, left, right, cost)
  else if (right) checkFirst(right, cost)
  else if (left) cost.countComparisons(countFrom(left.right, 'right', cost))
  else cost.countComparisons(countAll(item, cost))
}

/** Of an item that was deleted together with the type around it, Yjs keeps a struct without content. */
const isCollected = (struct: Y.Item | null): boolean => (struct as Y.Item | Y.GC | null) instanceof Y.GC

/** The item will be collected like its neighbour, so in no other window may it land in text that still exists. */
function checkCollected(left: Y.Item | null, right: Y.Item | null): void {
  for (const one of [left, right])
    if (one && !isCollected(one) && !isInDeletedType(one)) throw refusal(strings.edit.neighbourDeleted)
}

const isInDeletedType = ({ parent }: Y.Item): boolean => itemOf(parent as SharedType)?.deleted ?? false

/** Yjs collects an item without a parent at once, which is right only if the parent was deleted. */
function checkMissingParent(parentId: Y.ID | null, doc: Y.Doc): void {
  const parent = parentId && structAt(doc, parentId)
  if (parent instanceof Y.Item && !parent.deleted) throw refusal(strings.edit.noParent)
}

function checkBetween(item: Y.Item, left: Y.Item, right: Y.Item, cost: IntegrationCost): void {
  // If the right one is in the same run before the left one's end, Yjs has cut the left one once more.
  if (!Y.compareIDs(item.origin, left.lastId)) throw refusal(strings.edit.notRight)
  if (left.right === right) return
  const { origin } = right
  let count = 0
  for (let one = left.right; one !== right; one = one.right) {
    if (one === null) throw refusal(strings.edit.notRight)
    if (origin && containsId(one, origin)) throw notAdjacentRefusal()
    count = countWithinLimit(count, cost)
  }
  cost.countComparisons(count)
}

/** The item named no left neighbour, so its right one was the first of the list. */
function checkFirst(right: Y.Item, cost: IntegrationCost): void {
  if (right.left === null) return
  if (right.origin) throw notAdjacentRefusal()
  cost.countComparisons(countFrom(right.left, 'left', cost))
}

/** Counts the items of a list, or the past and present values of a key, which Yjs finds from the last one. */
function countAll({ parent, parentSub }: Y.Item, cost: IntegrationCost): number {
  const type = parent as SharedType
  return parentSub === null
    ? countFrom(firstItemOf(type), 'right', cost)
    : countFrom(valuesByKeyOf(type).get(parentSub) ?? null, 'left', cost)
}

function countFrom(item: Y.Item | null, side: 'left' | 'right', cost: IntegrationCost): number {
  let count = 0
  for (let one = item; one !== null; one = one[side]) count = countWithinLimit(count, cost)
  return count
}

/** Ends a walk at the limit of comparisons, so that the check does not cost what it guards against. */
function countWithinLimit(count: number, cost: IntegrationCost): number {
  if (count >= cost.remainingComparisons) cost.countComparisons(count + 1)
  return count + 1
}

const containsId = ({ id, length }: Y.Item, { client, clock }: Y.ID): boolean =>
  id.client === client && id.clock <= clock && clock < id.clock + length

const notAdjacentRefusal = (): RoomRefusal => refusal(strings.edit.originConflict)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
