/**
 * Writes what a person's steps changed into the shared text, and nothing else. What the steps left alone says where each block went; a block
 * that is still there is changed in place, by what differs. A node that was shown and not stored becomes real when something is written in
 * it; deleting one writes nothing.
 */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { createBlock, type FindCopy } from './create-parts.ts'
import { keptPositionOf, type KeptStretch, stretchesWithin } from './kept-stretches.ts'
import { type InlineReading, isVirtual, type Reading } from './read-text.ts'
import { copyPart } from './unknown-content.ts'
import { writeAttributes, writeLetters } from './write-letters.ts'

/** @param before What the shared text holds, and the editor showed before the steps. */
export function writeSteps(before: Reading, after: Node, kept: readonly KeptStretch[]): void {
  new StepWriter(before, after, kept).write()
}

class StepWriter {
  readonly #root: Reading
  readonly #after: Node
  readonly #kept: readonly KeptStretch[]
  /** Copies of unknown parts that were deleted and cannot be described; they may come again elsewhere. */
  readonly #copies: [Node, Y.XmlElement | Y.XmlText][] = []

  constructor(root: Reading, after: Node, kept: readonly KeptStretch[]) {
    this.#root = root
    this.#after = after
    this.#kept = kept
  }

  write(): void {
    const { source, children } = this.#root
    this.#writeBlocks(children, 0, this.#after, 0, source!, 0)
  }

  /**
   * Writes the children of a node, of which those that are stored stand in `shared`, from `index` on. Returns how many these are now.
   *
   * @param start Where the content begins in the document before, and `newStart` after.
   */
  #writeBlocks(
    before: readonly Reading[],
    start: number,
    parent: Node,
    newStart: number,
    shared: Y.XmlFragment,
    index: number,
  ): number {
    const after = parent.children
    let [first, at, newAt, sharedAt] = [0, start, newStart, index]
    while (first < before.length && first < after.length) {
      if (!this.#isUntouched(before[first]!, at, after[first]!, newAt)) break
      at += after[first]!.nodeSize
      newAt += after[first]!.nodeSize
      sharedAt += before[first]!.width
      first += 1
    }
    let [end, newEnd, newAtEnd, widthAfter] = [before.length, after.length, newStart + parent.content.size, 0]
    let atEnd = before.reduce((sum, { node }, child) => (child < first ? sum : sum + node.nodeSize), at)
    while (end > first && newEnd > first) {
      atEnd -= before[end - 1]!.node.nodeSize
      newAtEnd -= after[newEnd - 1]!.nodeSize
      if (!this.#isUntouched(before[end - 1]!, atEnd, after[newEnd - 1]!, newAtEnd)) break
      ;[end, newEnd, widthAfter] = [end - 1, newEnd - 1, widthAfter + before[end - 1]!.width]
    }
    const changed = [before.slice(first, end), after.slice(first, newEnd)] as const
    const written = this.#writeChanged(changed[0], at, changed[1], newAt, shared, sharedAt)
    return sharedAt - index + written + widthAfter
  }

  /** It is the same node, and the steps left it where it was. */
  #isUntouched({ node }: Reading, at: number, after: Node, newAt: number): boolean {
    return node === after && keptPositionOf(this.#kept, at) === newAt
  }

  #writeChanged(
    before: readonly Reading[],
    start: number,
    after: readonly Node[],
    newStart: number,
    shared: Y.XmlFragment,
    index: number,
  ): number {
    const pairs = new ChildPairs(before, start, after, newStart, this.#kept).pair()
    let [at, newAt, next, sharedAt] = [start, newStart, 0, index]
    let fresh: Node[] = []
    const finish = (until: number): void => {
      for (; next < until; next++) {
        this.#delete(before[next]!, shared, sharedAt)
        at += before[next]!.node.nodeSize
      }
      if (fresh.length > 0) shared.insert(sharedAt, fresh.map(this.#create) as Y.XmlElement[])
      sharedAt += fresh.length
      fresh = []
    }
    for (const [newIndex, node] of after.entries()) {
      const old = pairs[newIndex]!
      if (old < 0) fresh.push(node)
      else {
        finish(old)
        sharedAt += this.#writeNode(before[old]!, at, node, newAt, shared, sharedAt)
        at += before[old]!.node.nodeSize
        next = old + 1
      }
      newAt += node.nodeSize
    }
    finish(before.length)
    return sharedAt - index
  }

  /** Returns how many children of `shared` the node covers now. */
  #writeNode(
    before: Reading,
    start: number,
    node: Node,
    newStart: number,
    shared: Y.XmlFragment,
    index: number,
  ): number {
    if (before.node === node || before.unknown !== undefined || before.node.eq(node)) return before.width
    if (isVirtual(before) && (before.width === 0 || !before.node.sameMarkup(node))) {
      this.#delete(before, shared, index)
      shared.insert(index, [this.#create(node)] as Y.XmlElement[])
      return 1
    }
    const { source } = before
    if (source instanceof Y.XmlElement) writeAttributes(source, before.node, node)
    const [inner, innerIndex] = source ? [source, 0] : [shared, index]
    if (!before.inline) {
      const width = this.#writeBlocks(before.children, start + 1, node, newStart + 1, inner, innerIndex)
      return source ? 1 : width
    }
    const lengthBefore = inner.length
    writeLetters({
      before: before.node,
      inline: before.inline,
      after: node,
      kept: this.#keptWithin(before.node, start + 1, node, newStart + 1),
      shared: inner,
      index: innerIndex,
      findCopy: this.#findCopy,
      keepCopies: (parts) => this.#keepCopies(undescribedInline(parts)),
    })
    return source ? 1 : before.width + inner.length - lengthBefore
  }

  #keptWithin(before: Node, start: number, after: Node, newStart: number): readonly KeptStretch[] {
    const range = { from: start, to: start + before.content.size }
    const newRange = { from: newStart, to: newStart + after.content.size }
    return stretchesWithin(this.#kept, range, newRange).map((one) => ({
      before: one.before - start,
      after: one.after - newStart,
      size: one.size,
    }))
  }

  #delete(reading: Reading, shared: Y.XmlFragment, index: number): void {
    if (reading.width === 0) return
    this.#keepCopies(undescribedParts(reading))
    shared.delete(index, reading.width)
  }

  readonly #create = (node: Node): Y.XmlElement | Y.XmlText => createBlock(node, this.#findCopy)

  #keepCopies(parts: Iterable<UndescribedPart>): void {
    for (const { node, copy } of parts) {
      this.#after.descendants((one) => {
        const kept = one.type === node.type && one.mark([]).eq(node) ? copy() : null
        if (kept) this.#copies.push([node, kept])
      })
    }
  }

  /** What was deleted in the same edit, or else what is still there. */
  readonly #findCopy: FindCopy = (node) => {
    const index = this.#copies.findIndex(([one]) => one.eq(node.mark([])))
    if (index >= 0) return this.#copies.splice(index, 1)[0]![1]
    for (const part of undescribedParts(this.#root)) if (part.node.eq(node.mark([]))) return part.copy()
    return null
  }
}

interface UndescribedPart {
  readonly node: Node
  copy(): Y.XmlElement | Y.XmlText | null
}

function* undescribedParts({ node, unknown, children, inline }: Reading): Iterable<UndescribedPart> {
  if (unknown !== undefined && node.attrs.content === null)
    yield { node, copy: () => copyPart(unknown, false) }
  yield* undescribedInline(inline ?? [])
  for (const child of children) yield* undescribedParts(child)
}

function* undescribedInline(parts: readonly InlineReading[]): Iterable<UndescribedPart> {
  for (const { node, unknown, child } of parts)
    if (node && unknown !== undefined && node.attrs.content === null)
      yield { node: node.mark([]), copy: () => copyPart(unknown, child instanceof Y.Text) }
}

interface Candidate {
  readonly old: number
  readonly new: number
  readonly weight: number
}

/** Finds for each child after the steps the one that it was before. */
class ChildPairs {
  readonly #before: readonly Reading[]
  readonly #after: readonly Node[]
  readonly #starts: readonly number[]
  readonly #newStarts: readonly number[]
  readonly #kept: readonly KeptStretch[]
  readonly #pairs: number[]

  constructor(
    before: readonly Reading[],
    start: number,
    after: readonly Node[],
    newStart: number,
    kept: readonly KeptStretch[],
  ) {
    this.#before = before
    this.#after = after
    this.#kept = kept
    this.#starts = startsOf(
      before.map(({ node }) => node),
      start,
    )
    this.#newStarts = startsOf(after, newStart)
    this.#pairs = Array.from(after, () => -1)
  }

  /** The index before of each child after; -1 for a new one. */
  pair(): readonly number[] {
    this.#pairByPlace()
    this.#pairRest()
    return this.#pairs
  }

  /** Those with the most in common come first. A pair never crosses another one. */
  #pairByPlace(): void {
    const candidates: Candidate[] = []
    for (let old = 0; old < this.#before.length; old++) candidates.push(...this.#candidatesFor(old))
    candidates.sort((a, b) => b.weight - a.weight)
    /** The indexes after that have a pair, in their order. */
    const paired: number[] = []
    for (const candidate of candidates) {
      const at = firstNotBelow(paired, candidate.new)
      const [left, right] = [this.#pairs[paired[at - 1]!] ?? -1, this.#pairs[paired[at]!] ?? Infinity]
      if (paired[at] === candidate.new || left >= candidate.old || right <= candidate.old) continue
      paired.splice(at, 0, candidate.new)
      this.#pairs[candidate.new] = candidate.old
    }
  }

  #candidatesFor(old: number): Candidate[] {
    const { node } = this.#before[old]!
    const token = keptPositionOf(this.#kept, this.#starts[old]!)
    const candidates: Candidate[] = []
    for (const [index, common] of this.#commonUnitsOf(old, token)) {
      if (index === this.#after.length || !this.#mayPair(old, index)) continue
      const isSamePlace = token === this.#newStarts[index]
      const isWhole = common > 0 && this.#after[index]!.eq(node)
      if (isWhole || isSamePlace || (node.inlineContent && common > 0))
        candidates.push({
          old,
          new: index,
          weight: (isWhole ? 1e9 : 0) + (node.inlineContent ? common : 0) + Number(isSamePlace) / 2,
        })
    }
    return candidates
  }

  /** How many units of the old child each new one has, and 0 for the one that begins where the steps moved its beginning. */
  #commonUnitsOf(old: number, token: number | null): [index: number, units: number][] {
    const start = this.#starts[old]!
    const { nodeSize } = this.#before[old]!.node
    const content = { from: start + Number(nodeSize > 1), to: start + Math.max(nodeSize - 1, 1) }
    const units = new Map<number, number>()
    for (const { after, size } of stretchesWithin(this.#kept, content, {
      from: 0,
      to: Number.MAX_SAFE_INTEGER,
    }))
      for (let index = this.#newIndexAt(after); index < this.#after.length; index++) {
        const [from, to] = [this.#newStarts[index]!, this.#newStarts[index + 1]!]
        if (from >= after + size) break
        const common = Math.min(to, after + size) - Math.max(from, after)
        if (common > 0) units.set(index, (units.get(index) ?? 0) + common)
      }
    const moved = token === null ? -1 : this.#newIndexAt(token)
    if (this.#newStarts[moved] === token && !units.has(moved)) units.set(moved, 0)
    return [...units].toSorted(([a], [b]) => a - b)
  }

  /** The index of the new child that holds the position, or of the first behind it. */
  #newIndexAt(position: number): number {
    return Math.max(0, firstNotBelow(this.#newStarts, position + 1) - 1)
  }

  #mayPair(old: number, index: number): boolean {
    const { node, unknown } = this.#before[old]!
    const after = this.#after[index]!
    return unknown === undefined ? node.type === after.type : node.eq(after)
  }

  /** Where whole blocks were replaced: those that are alike at both ends of a gap, and then those of one kind, in their order. */
  #pairRest(): void {
    let [old, from] = [0, 0]
    for (let index = 0; index <= this.#after.length; index++) {
      const paired = index === this.#after.length ? this.#before.length : this.#pairs[index]!
      if (paired === -1) continue
      this.#pairGap(old, paired, from, index)
      ;[old, from] = [paired + 1, index + 1]
    }
  }

  #pairGap(first: number, end: number, newFirst: number, newEnd: number): void {
    let [from, to, newFrom, newTo] = [first, end, newFirst, newEnd]
    const walk = (isPair: (old: number, index: number) => boolean): void => {
      while (from < to && newFrom < newTo && isPair(from, newFrom)) this.#pairs[newFrom++] = from++
      while (from < to && newFrom < newTo && isPair(to - 1, newTo - 1)) this.#pairs[--newTo] = --to
    }
    walk((old, index) => this.#before[old]!.node.eq(this.#after[index]!))
    walk((old, index) => this.#mayPair(old, index))
  }
}

function startsOf(nodes: readonly Node[], start: number): readonly number[] {
  const starts = [start]
  for (const node of nodes) starts.push(starts.at(-1)! + node.nodeSize)
  return starts
}

/** The index of the first number that is not below it: they are in their order. */
function firstNotBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
