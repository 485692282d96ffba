/**
 * Says which blocks a person means: those at the caret, of a selection, or below the pointer. A block is what can be moved by itself: a
 * paragraph, a list, an item of it. The first line of an item is none, because the item goes with it; nor is a part that only its own
 * block may hold, as a cell.
 */
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { NodeSelection, type Selection } from '@tiptap/pm/state'
import { isOfCells } from '@/components/blocks/table/is-in-table.ts'

/** Neighbouring blocks of one parent, by the positions around them. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

const isItemOf = (parent: Node): boolean => parent.type.isInGroup('list')

function isBlock(node: Node, parent: Node, index: number, isInItem: boolean): boolean {
  if (isItemOf(parent)) return true
  return node.type.isInGroup('block') && !(isInItem && index === 0)
}

/** Whether the child at `index` of the node at this depth is a block. */
function isBlockAt($position: ResolvedPos, depth: number, index: number): boolean {
  const parent = $position.node(depth)
  const isInItem = depth > 0 && isItemOf($position.node(depth - 1))
  return index < parent.childCount && isBlock(parent.child(index), parent, index, isInItem)
}

/** The smallest range of blocks around both positions whose parent is at most this deep. */
function rangeAround($from: ResolvedPos, $to: ResolvedPos, deepest: number): BlockRange | null {
  for (let depth = deepest; depth >= 0; depth--) {
    const [first, end] = [$from.index(depth), Math.max($from.index(depth) + 1, $to.indexAfter(depth))]
    let areBlocks = true
    for (let index = first; index < end; index++) areBlocks &&= isBlockAt($from, depth, index)
    if (areBlocks) return { from: $from.posAtIndex(first, depth), to: $from.posAtIndex(end, depth) }
  }
  return null
}

export function blockRangeOf(selection: Selection): BlockRange | null {
  if (isOfCells(selection)) return null
  const { $from, $to } = selection
  const isOfBlocks = $from.parent.isBlock && !$from.parent.isTextblock
  if (isOfBlocks || (selection instanceof NodeSelection && selection.node.isBlock))
    return rangeAround($from, $to, $from.sharedDepth($to.pos))
  return rangeAround($from, $to, $from.sharedDepth($to.pos) - ($from.sameParent($to) ? 1 : 0))
}

/** The blocks at a position, the innermost first. */
export function blocksAt($position: ResolvedPos): readonly BlockRange[] {
  const ranges: BlockRange[] = []
  for (let depth = $position.depth - ($position.parent.isTextblock ? 1 : 0); depth >= 0; depth--) {
    const index = $position.index(depth)
    if (isBlockAt($position, depth, index))
      ranges.push({ from: $position.posAtIndex(index, depth), to: $position.posAtIndex(index + 1, depth) })
  }
  return ranges
}

/** The block around these. */
export function blockAround(doc: Node, { from }: BlockRange): BlockRange | null {
  const $from = doc.resolve(from)
  return $from.depth === 0 ? null : rangeAround($from, $from, $from.depth - 1)
}

/** The block within the first of these: the second line of an item, or what stands in a quote. */
export function blockWithin(doc: Node, { from }: BlockRange): BlockRange | null {
  const $inside = doc.resolve(from + 1)
  for (let index = 0; index < $inside.parent.childCount; index++) {
    if ($inside.parent.isTextblock) return null
    if (isBlockAt($inside, $inside.depth, index))
      return { from: $inside.posAtIndex(index), to: $inside.posAtIndex(index + 1) }
  }
  return null
}

/** The block before or after these, in the same parent. */
export function siblingOf(doc: Node, { from, to }: BlockRange, direction: -1 | 1): BlockRange | null {
  const $edge = doc.resolve(direction < 0 ? from : to)
  const sibling = direction < 0 ? $edge.nodeBefore : $edge.nodeAfter
  const index = $edge.index() + (direction < 0 ? -1 : 0)
  if (!sibling || !isBlockAt($edge, $edge.depth, index)) return null
  return direction < 0 ? { from: from - sibling.nodeSize, to: from } : { from: to, to: to + sibling.nodeSize }
}
