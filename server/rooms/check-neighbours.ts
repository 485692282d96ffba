/**
 * Looks at the place where an item is to stand, before Yjs puts it there. An author's item names the two that stood beside each other
 * in its author's text, so the right one is right of the left one, and was not put between them and what is left of it. Where that does
 * not hold, windows that hear the same edits in another order, or merged, come to different texts. Knows Yjs's lists; does not know
 * what stands in them.
 */
import * as Y from 'yjs'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'

type SharedType = Y.AbstractType<unknown>

/**
 * @param item After `getMissing`: its neighbours are items of the document, and cut where it stands.
 * @param parentId What it named as its parent.
 * @throws {RoomRefusal} `bad-update` for a place that no author can mean, `too-costly` where it is too far to look.
 */
export function checkNeighbours(
  item: Y.Item,
  parentId: Y.ID | null,
  store: Y.Doc['store'],
  cost: IntegrationCost,
): void {
  const { left, right, parent } = item
  if (isCollected(left) || isCollected(right)) checkCollected(left, right)
  else if (!parent) checkMissingParent(parentId, store)
  else if (left && right) checkBetween(item, left, right, cost)
  else if (right) checkFirst(right, cost)
  else if (left) cost.countComparisons(countFrom(left.right, 'right', cost))
  else cost.countComparisons(countAll(item, cost))
}

/** Yjs keeps a struct without content of what was deleted together with the type around it. */
const isCollected = (struct: Y.Item | null): boolean => (struct as Y.Item | Y.GC | null) instanceof Y.GC

/** The item will be gone like its neighbour, so in other windows, too, it must not come to stand in what is still there. */
function checkCollected(left: Y.Item | null, right: Y.Item | null): void {
  for (const one of [left, right])
    if (one && !isCollected(one) && !isInDeletedType(one)) throw refusal(strings.edit.neighbourDeleted)
}

const isInDeletedType = ({ parent }: Y.Item): boolean => (parent as SharedType)._item?.deleted ?? false

/** Without a type around it an item is gone at once, as it has to be where that type was deleted, and nowhere else. */
function checkMissingParent(parentId: Y.ID | null, store: Y.Doc['store']): void {
  const parent = parentId && (Y.getItem(store, parentId) as Y.Item | Y.GC)
  if (parent instanceof Y.Item && !parent.deleted) throw refusal(strings.edit.noParent)
}

function checkBetween(item: Y.Item, left: Y.Item, right: Y.Item, cost: IntegrationCost): void {
  // Where the right one stood in the same run before the left one's end, Yjs has cut the left one once more.
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

/** It named nothing left of it, so what is right of it was the first of all. */
function checkFirst(right: Y.Item, cost: IntegrationCost): void {
  if (right.left === null) return
  if (right.origin) throw notAdjacentRefusal()
  cost.countComparisons(countFrom(right.left, 'left', cost))
}

/** Of the items of a list, or of those that were the value of one key, which Yjs finds by the last of them. */
function countAll({ parent, parentSub }: Y.Item, cost: IntegrationCost): number {
  const { _start: first, _map: values } = parent as SharedType
  return parentSub === null
    ? countFrom(first, 'right', cost)
    : countFrom(values.get(parentSub) ?? null, 'left', cost)
}

function countFrom(item: Y.Item | null, side: 'left' | 'right', cost: IntegrationCost): number {
  let count = 0
  for (let one = item; one !== null; one = one[side]) count = countWithinLimit(count, cost)
  return count
}

/** A walk is no longer than what may be compared, or it would itself be what it guards against. */
function countWithinLimit(count: number, cost: IntegrationCost): number {
  if (count >= cost.remainingComparisons) cost.countComparisons(count + 1)
  return count + 1
}

const containsId = ({ id, length }: Y.Item, { client, clock }: Y.ID): boolean =>
  id.client === client && id.clock <= clock && clock < id.clock + length

const notAdjacentRefusal = (): RoomRefusal => refusal(strings.edit.originConflict)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
