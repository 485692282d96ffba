/**
 * Checks an item's place before Yjs puts it there. An honest item names two items that were adjacent in its author's text: so the
 * right one is to the right of the left one, and its own origin is not between the two. If this does not hold, windows that receive
 * the same edits in another order, or merged, get different texts. Knows Yjs's lists; does not know their content.
 */
import * as Y from 'yjs'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { type StoredStruct, structAt } from '../../lib/yjs-internals/struct-store.ts'
import { firstItemOf, itemOf, valuesByKeyOf } from '../../lib/yjs-internals/shared-type.ts'
import type { IntegrationCost } from './integration-cost.ts'
import { RoomRefusal } from './rooms.ts'

type SharedType = Y.AbstractType<unknown>

export class NeighbourCheck {
  readonly #cost: IntegrationCost
  /** The place of the item before, which is integrated by now: what it was compared with need not be looked at again. */
  #latest: Pick<Y.Item, 'left' | 'right'> = { left: null, right: null }

  constructor(cost: IntegrationCost) {
    this.#cost = cost
  }

  /**
   * Checks the items of an edit one by one, each before it is integrated.
   * @param item After `getMissing`: its neighbours are items of the document, cut at its place.
   * @param parentId The id that the item named as its parent.
   * @throws {RoomRefusal} `bad-update` for a place that no honest author can name, `too-costly` if the search costs too much.
   */
  check(item: Y.Item, parentId: Y.ID | null, doc: Y.Doc): void {
    const { left, right, parent } = item
    if (isCollected(left) || isCollected(right)) return checkCollected(left, right)
    if (!parent) return checkMissingParent(parentId, doc)
    if (right && !left && right.left !== null && right.origin) throw notAdjacentRefusal()
    if (left && right) this.#checkBetween(item, left, right)
    countConflicts(item, doc, this.#cost)
    this.#latest = { left: item, right }
  }

  #checkBetween(item: Y.Item, left: Y.Item, right: Y.Item): void {
    // If the right one is in the same run before the left one's end, Yjs has cut the left one once more.
    if (!Y.compareIDs(item.origin, left.lastId)) throw refusal(serverRefusalsStrings.edit.notRight)
    // Behind the item before, all that stands left of the same neighbour was looked at for that one.
    if (left === this.#latest.left && right === this.#latest.right) return
    const { origin } = right
    for (let one = left.right; one !== right; one = one.right) {
      if (one === null) throw refusal(serverRefusalsStrings.edit.notRight)
      if (origin && containsId(one, origin)) throw notAdjacentRefusal()
      this.#cost.countSteps()
    }
  }
}

/**
 * Counts the items that Yjs may compare to place this one: those between its neighbours that were put behind the same item, or behind one
 * of those (YATA, Nicolaescu et al. 2016; `Item.integrate` compares no others). Yjs may stop sooner, but not where the same items arrive
 * in another order, as they do in other windows. An honest item, typed behind the one before, is compared with hardly any.
 */
function countConflicts(item: Y.Item, doc: Y.Doc, cost: IntegrationCost): void {
  const before = new Set<StoredStruct>()
  for (let one = firstConflict(item, cost); one !== null && one !== item.right; one = one.right) {
    cost.countComparisons(1)
    before.add(one)
    const isBehindTheSame = Y.compareIDs(item.origin, one.origin)
    if (!isBehindTheSame && (one.origin === null || !before.has(structAt(doc, one.origin)))) return
  }
}

function firstConflict({ left, right, parent, parentSub }: Y.Item, cost: IntegrationCost): Y.Item | null {
  if (left) return left.right
  if (right?.left === null) return null
  const type = parent as SharedType
  if (parentSub === null) return firstItemOf(type)
  let value = valuesByKeyOf(type).get(parentSub) ?? null
  for (; value?.left; value = value.left) cost.countSteps()
  return value
}

/** Of an item that was deleted together with the type around it, Yjs keeps a struct without content. */
const isCollected = (struct: Y.Item | null): boolean => (struct as Y.Item | Y.GC | null) instanceof Y.GC

/** The item will be collected like its neighbour, so in no other window may it land in text that still exists. */
function checkCollected(left: Y.Item | null, right: Y.Item | null): void {
  for (const one of [left, right])
    if (one && !isCollected(one) && !isInDeletedType(one))
      throw refusal(serverRefusalsStrings.edit.neighbourDeleted)
}

const isInDeletedType = ({ parent }: Y.Item): boolean => itemOf(parent as SharedType)?.deleted ?? false

/** Yjs collects an item without a parent at once, which is right only if the parent was deleted. */
function checkMissingParent(parentId: Y.ID | null, doc: Y.Doc): void {
  const parent = parentId && structAt(doc, parentId)
  if (parent instanceof Y.Item && !parent.deleted) throw refusal(serverRefusalsStrings.edit.noParent)
}

const containsId = ({ id, length }: Y.Item, { client, clock }: Y.ID): boolean =>
  id.client === client && id.clock <= clock && clock < id.clock + length

const notAdjacentRefusal = (): RoomRefusal => refusal(serverRefusalsStrings.edit.originConflict)

const refusal = (detail: string): RoomRefusal => new RoomRefusal({ code: 'bad-update', detail })
