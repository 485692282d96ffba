/** Finds for each child of a node after some steps the one that it was before. */
import type { Node } from '@tiptap/pm/model'
import { keptPositionOf, type KeptStretch, stretchesWithin } from './kept-stretches.ts'
import type { Reading } from './reading.ts'

interface Candidate {
  readonly old: number
  readonly new: number
  readonly weight: number
}

export class ChildPairs {
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

export function startsOf(nodes: readonly Node[], start: number): readonly number[] {
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
