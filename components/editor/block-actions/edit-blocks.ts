/**
 * Moves, copies and deletes blocks. Yjs has no move: what moves is deleted and written anew. So of two sides that change places the smaller
 * one is written anew, and the other keeps what others type in it at that moment, its carets and its comments, as when a section is moved
 * (lib/text/move-section.ts).
 */
import { Fragment, type Node } from '@tiptap/pm/model'
import { Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { type BlockRange, siblingOf } from './block-range.ts'
import { BlockSelection } from './block-selection.ts'

/** Where blocks go by one step up or down: past their neighbour, or out of their parent. Null where the way ends. */
export function targetOfStep(doc: Node, range: BlockRange, direction: -1 | 1): number | null {
  const sibling = siblingOf(doc, range, direction)
  if (sibling) return direction < 0 ? sibling.from : sibling.to
  const $from = doc.resolve(range.from)
  // An item leaves the list within an item for the list around it.
  const depth = $from.depth - ($from.parent.type.isInGroup('list') ? 1 : 0)
  if (depth <= 0) return null
  const around = direction < 0 ? $from.before(depth) : $from.after(depth)
  return fitsAt(doc, around, nodesIn(doc, range)) && canLeave(doc, range) ? around : null
}

/** Whether the blocks may stand at that edge of a block, and leave a parent behind that can be without them. */
export function canMoveTo(doc: Node, range: BlockRange, target: number): boolean {
  if (target >= range.from && target <= range.to) return false
  const fits = fitsAt(doc, target, nodesIn(doc, range)) || fitsAt(doc, target, withList(doc, range))
  return fits && (doc.resolve(range.from).sameParent(doc.resolve(target)) || canLeave(doc, range))
}

function fitsAt(doc: Node, at: number, nodes: Fragment): boolean {
  const $at = doc.resolve(at)
  return !$at.parent.inlineContent && $at.parent.canReplace($at.index(), $at.index(), nodes)
}

function canLeave(doc: Node, { from, to }: BlockRange): boolean {
  const [$from, $to] = [doc.resolve(from), doc.resolve(to)]
  const { parent } = $from
  const [first, end] = [$from.index(), $to.index()]
  // What they alone stand in goes with them.
  return end - first === parent.childCount ? $from.depth > 0 : parent.canReplace(first, end)
}

/** Moves blocks to an edge of another block. A caret in them goes along. */
export function moveBlocks(tr: Transaction, range: BlockRange, target: number): Transaction {
  const { doc, selection } = tr
  if (!doc.resolve(range.from).sameParent(doc.resolve(target))) return moveElsewhere(tr, range, target)
  const { from, to } = range
  const size = to - from
  const isUp = target < from
  const other = isUp ? { from: target, to: from } : { from: to, to: target }
  const isSmaller = size <= other.to - other.from
  const [rewritten, gap] = isSmaller ? [range, target] : [other, isUp ? to : from]
  const nodes = nodesIn(doc, rewritten)
  tr.delete(rewritten.from, rewritten.to)
  tr.insert(gap > rewritten.from ? gap - nodes.size : gap, nodes)
  return selectMoved(tr, selection, range, isUp ? target : target - size)
}

function moveElsewhere(tr: Transaction, range: BlockRange, target: number): Transaction {
  const { doc, selection } = tr
  const plain = nodesIn(doc, range)
  const isPlain = fitsAt(doc, target, plain)
  tr.insert(target, isPlain ? plain : withList(doc, range))
  const inserted = tr.mapping.maps.length
  tr.deleteRange(tr.mapping.map(range.from, 1), tr.mapping.map(range.to, -1))
  const start = tr.mapping.slice(inserted).map(target, -1)
  return selectMoved(tr, selection, range, isPlain ? start : start + 1)
}

function selectMoved(
  tr: Transaction,
  { anchor, head, $anchor }: Selection,
  { from, to }: BlockRange,
  start: number,
): Transaction {
  const by = start - from
  return tr.setSelection(
    $anchor.parent.inlineContent
      ? TextSelection.create(tr.doc, anchor + by, head + by)
      : BlockSelection.of(tr.doc, { from: start, to: to + by }),
  )
}

/** The copy is selected. */
export function duplicateBlocks(tr: Transaction, range: BlockRange): Transaction {
  const nodes = nodesIn(tr.doc, range)
  tr.insert(range.to, nodes)
  return tr.setSelection(BlockSelection.of(tr.doc, { from: range.to, to: range.to + nodes.size }))
}

export function deleteBlocks(tr: Transaction, { from, to }: BlockRange): Transaction {
  tr.deleteRange(from, to)
  return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size))))
}

const nodesIn = (doc: Node, { from, to }: BlockRange): Fragment => doc.slice(from, to).content

/** Items with a list of their own. */
function withList(doc: Node, range: BlockRange): Fragment {
  const { parent } = doc.resolve(range.from)
  const nodes = nodesIn(doc, range)
  return parent.type.isInGroup('list') ? Fragment.from(parent.copy(nodes)) : nodes
}
