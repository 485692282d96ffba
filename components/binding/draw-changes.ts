/**
 * Draws a new reading into the editor by the smallest steps: children are paired by what they stand for, letters by their common ends. So
 * the caret, decorations and a composition elsewhere stay where they are.
 */
import { Fragment, Mark, type Node, Slice } from '@tiptap/pm/model'
import type { Transaction } from '@tiptap/pm/state'
import { ReplaceStep } from '@tiptap/pm/transform'
import { isVirtual, type Reading } from './reading.ts'

/** Gives the reading the editor's own nodes wherever they are alike. Returns whether all of them are. */
export function adoptNodes(reading: Reading, node: Node): boolean {
  if (reading.node === node) return true
  if (!reading.node.sameMarkup(node)) return false
  const isAlike =
    reading.children.length > 0 ? adoptChildren(reading, node) : reading.node.content.eq(node.content)
  if (isAlike) reading.node = node
  return isAlike
}

function adoptChildren({ children }: Reading, { content: { content } }: Node): boolean {
  let isAlike = children.length === content.length
  for (let index = 0; index < children.length && index < content.length; index++)
    if (!adoptNodes(children[index]!, content[index]!)) isAlike = false
  return isAlike
}

/** @param before What the editor shows; null where that is no reading. */
export function drawChanges(transaction: Transaction, before: Reading | null, after: Reading): void {
  if (before) drawBlocks(transaction, before.children, after, 0, pairReadings)
  else replaceContent(transaction, after, 0)
}

/** Corrects what the person's own steps show, and the text holds otherwise. */
export const drawCorrections = (transaction: Transaction, after: Reading): void =>
  drawBlocks(transaction, shownChildrenOf(transaction.doc), after, 0, pairByLook)

/** Nodes of the editor, of which nothing is known but how they look. */
const shownChildrenOf = (parent: Node): Reading[] =>
  parent.children.map((node) => {
    const inline = node.inlineContent ? [] : null
    return { node, source: null, children: inline ? [] : shownChildrenOf(node), inline, width: 0 }
  })

type PairChildren = (before: readonly Reading[], after: readonly Reading[]) => [number, number][]

/** From the end to the start, so that positions before a change stay what they were. */
function drawBlocks(
  transaction: Transaction,
  before: readonly Reading[],
  parent: Reading,
  start: number,
  pairChildren: PairChildren,
): void {
  const after = parent.children
  let first = 0
  while (first < before.length && before[first] === after[first]) first += 1
  let [beforeEnd, afterEnd] = [before.length, after.length]
  while (beforeEnd > first && afterEnd > first && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd -= 1
    afterEnd -= 1
  }
  const positions = positionsOf(before, start)
  const pairs = pairChildren(before.slice(first, beforeEnd), after.slice(first, afterEnd))
  for (const [oldIndex, newIndex] of pairs.toReversed()) {
    const [from, to] = [first + oldIndex, first + newIndex]
    const isDrawn =
      replaceBlocks(
        transaction,
        positions[from + 1]!,
        positions[beforeEnd]!,
        after.slice(to + 1, afterEnd),
      ) && drawNode(transaction, before[from]!, after[to]!, positions[from]!, pairChildren)
    if (!isDrawn) return replaceContent(transaction, parent, start)
    ;[beforeEnd, afterEnd] = [from, to]
  }
  if (!replaceBlocks(transaction, positions[first]!, positions[beforeEnd]!, after.slice(first, afterEnd)))
    replaceContent(transaction, parent, start)
}

function positionsOf(readings: readonly Reading[], start: number): readonly number[] {
  const positions = [start]
  for (const { node } of readings) positions.push(positions.at(-1)! + node.nodeSize)
  return positions
}

/** False where the schema does not allow this step by itself. */
function replaceBlocks(
  transaction: Transaction,
  from: number,
  to: number,
  blocks: readonly Reading[],
): boolean {
  if (from === to && blocks.length === 0) return true
  const content = Fragment.fromArray(blocks.map(({ node }) => node))
  return transaction.maybeStep(new ReplaceStep(from, to, new Slice(content, 0, 0))).failed === null
}

function replaceContent(transaction: Transaction, parent: Reading, start: number): void {
  const node = start === 0 ? transaction.doc : transaction.doc.nodeAt(start - 1)!
  const content = Fragment.fromArray(parent.children.map((child) => child.node))
  transaction.step(new ReplaceStep(start, start + node.content.size, new Slice(content, 0, 0)))
}

/**
 * Yjs never moves a type, so those that stand for the same are in the same order on both sides. Those between them are paired by their
 * kind: what is not stored, and a block of letters that somebody gave another kind, which is a new type to Yjs.
 */
const pairReadings: PairChildren = (before, after) => pairChildrenBy(before, after, keyOf, isAlike)

/** The editor's own nodes are where they were, if they are still shown, and a cell of a table is the one of its column. */
const pairByLook: PairChildren = (before, after) =>
  pairChildrenBy(
    before,
    after,
    ({ node }) => (node.type.spec.tableRole === 'cell' ? (node.attrs.col as string) : node),
    (one, other) => one.node.type === other.node.type,
  )

function pairChildrenBy(
  before: readonly Reading[],
  after: readonly Reading[],
  keyOf: (reading: Reading) => unknown,
  isAlike: (before: Reading, after: Reading) => boolean,
): [number, number][] {
  const indexes = new Map(after.map((reading, index) => [keyOf(reading), index]))
  const pairs: [number, number][] = []
  let [from, newFrom] = [0, 0]
  const pairGap = (to: number, newTo: number): void => {
    while (from < to && newFrom < newTo) {
      if (isAlike(before[from]!, after[newFrom]!)) pairs.push([from++, newFrom++])
      else if (to - from > newTo - newFrom) from += 1
      else newFrom += 1
    }
  }
  for (const [index, reading] of before.entries()) {
    const key = keyOf(reading)
    const found = key === null ? undefined : indexes.get(key)
    if (found === undefined || found < newFrom || reading.node.type !== after[found]!.node.type) continue
    pairGap(index, found)
    pairs.push([index, found])
    ;[from, newFrom] = [index + 1, found + 1]
  }
  pairGap(before.length, after.length)
  return pairs
}

const keyOf = ({ source, unknown }: Reading): unknown => source ?? unknown ?? null

function isAlike(before: Reading, after: Reading): boolean {
  if (isVirtual(before) && isVirtual(after)) return before.node.type === after.node.type
  const [{ content }, { content: newContent }] = [before.node, after.node]
  return before.node.isTextblock && after.node.isTextblock && content.size > 0 && content.eq(newContent)
}

/** False where the schema does not allow this step by itself. */
function drawNode(
  transaction: Transaction,
  before: Reading,
  after: Reading,
  at: number,
  pairChildren: PairChildren,
): boolean {
  if (before === after || before.node === after.node) return true
  const { type, attrs, marks } = after.node
  if (before.node.type !== type) return changeType(transaction, at, after.node)
  for (const [name, value] of Object.entries(attrs))
    if (before.node.attrs[name] !== value) transaction.setNodeAttribute(at, name, value)
  if (!Mark.sameSet(before.node.marks, marks)) return false
  if (after.inline) drawLetters(transaction, before.node, after.node, at + 1)
  else drawBlocks(transaction, before.children, after, at + 1, pairChildren)
  return true
}

function changeType(transaction: Transaction, at: number, { type, attrs, marks }: Node): boolean {
  try {
    transaction.setNodeMarkup(at, type, attrs, marks)
    return true
  } catch {
    return false
  }
}

function drawLetters(transaction: Transaction, before: Node, after: Node, start: number): void {
  const [plainBefore, plainAfter] = [withoutMarks(before.content), withoutMarks(after.content)]
  const from = plainBefore.findDiffStart(plainAfter)
  const size = before.content.size
  if (from === null) return drawMarks(transaction, before.content, after.content, start)
  const end = plainBefore.findDiffEnd(plainAfter)!
  // If letters repeat, both searches may count the same ones.
  const shared = Math.max(0, from - Math.min(end.a, end.b))
  const [to, newTo] = [end.a + shared, end.b + shared]
  const slice = new Slice(after.content.cut(from, newTo), 0, 0)
  transaction.step(new ReplaceStep(start + from, start + to, slice))
  drawMarks(transaction, before.content.cut(0, from), after.content.cut(0, from), start)
  drawMarks(transaction, before.content.cut(to, size), after.content.cut(newTo), start + newTo)
}

const withoutMarks = ({ content }: Fragment): Fragment =>
  Fragment.fromArray(content.map((node) => node.mark(Mark.none)))

/** Both contents are alike but for their marks. These steps move no position. */
function drawMarks(transaction: Transaction, before: Fragment, after: Fragment, start: number): void {
  for (const { from, to, oldMarks, newMarks } of markedStretches(before, after)) {
    if (Mark.sameSet(oldMarks, newMarks)) continue
    for (const mark of oldMarks)
      if (!mark.isInSet(newMarks)) transaction.removeMark(start + from, start + to, mark)
    for (const mark of newMarks)
      if (!mark.isInSet(oldMarks)) transaction.addMark(start + from, start + to, mark)
  }
}

interface MarkedStretch {
  readonly from: number
  readonly to: number
  readonly oldMarks: readonly Mark[]
  readonly newMarks: readonly Mark[]
}

function* markedStretches(before: Fragment, after: Fragment): Iterable<MarkedStretch> {
  let [oldIndex, newIndex, at] = [0, 0, 0]
  let [oldEnd, newEnd] = [before.firstChild?.nodeSize ?? 0, after.firstChild?.nodeSize ?? 0]
  while (at < before.size) {
    const to = Math.min(oldEnd, newEnd)
    const [oldMarks, newMarks] = [before.child(oldIndex).marks, after.child(newIndex).marks]
    yield { from: at, to, oldMarks, newMarks }
    at = to
    if (to === oldEnd) oldEnd += before.maybeChild(++oldIndex)?.nodeSize ?? 0
    if (to === newEnd) newEnd += after.maybeChild(++newIndex)?.nodeSize ?? 0
  }
}
