/**
 * Writes what a person's steps changed into the shared text, and nothing else. What the steps left alone says where each block went; a block
 * that is still there is changed in place, by what differs. A node that was shown and not stored becomes real when something is written in
 * it; deleting one writes nothing.
 */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { ChildPairs, startsOf } from './child-pairs.ts'
import { createBlocks, createCell, type FindCopies } from './create-parts.ts'
import { keptPositionOf, type KeptStretch, stretchesWithin } from './kept-stretches.ts'
import { type InlineReading, isVirtual, type Reading } from './reading.ts'
import {
  type ChangedCell,
  changedCellsOf,
  changesSpan,
  insertCell,
  insertRows,
  nameColumns,
  orderRows,
  planTable,
  type RowPlan,
  writeColumns,
} from './write-table.ts'
import { keepMergedText } from './write-merges.ts'
import { copyPart } from './unknown-content.ts'
import { UnknownGroup } from './unknown-groups.ts'
import { writeAttributes, writeLetters } from './write-letters.ts'

/** @param before What the shared text holds, and the editor showed before the steps. */
export function writeSteps(before: Reading, after: Node, kept: readonly KeptStretch[]): void {
  new StepWriter(before, after, kept).write()
}

/** Children of a node before the steps and after, and which of them are the same. */
interface PairedChildren {
  readonly before: readonly Reading[]
  readonly start: number
  readonly after: readonly Node[]
  readonly newStart: number
  readonly pairs: readonly number[]
}

class StepWriter {
  readonly #root: Reading
  readonly #after: Node
  readonly #kept: readonly KeptStretch[]
  /** Copies of unknown parts that were deleted and cannot be described; they may come again elsewhere. */
  readonly #copies: [Node, SharedParts][] = []

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
    return this.#writePaired({ before, start, after, newStart, pairs }, shared, index)
  }

  #writePaired(
    { before, start, after, newStart, pairs }: PairedChildren,
    shared: Y.XmlFragment,
    index: number,
  ): number {
    let [at, newAt, next, sharedAt] = [start, newStart, 0, index]
    let fresh: Node[] = []
    const finish = (until: number): void => {
      for (; next < until; next++) {
        this.#delete(before[next]!, shared, sharedAt)
        at += before[next]!.node.nodeSize
      }
      sharedAt += this.#insert(fresh, shared, sharedAt)
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
      return this.#insert([node], shared, index)
    }
    const { source } = before
    if (source instanceof Y.XmlElement && before.node.type.spec.tableRole === 'table') {
      const cells = changedCellsOf(before, start, node, newStart, this.#kept)
      if (cells) for (const cell of cells) this.#writeCell(cell)
      else this.#writeTable(before, source, start + 1, node, newStart + 1)
      return 1
    }
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
      findCopies: this.#findCopies,
      keepCopies: (parts) => this.#keepCopies(undescribedInline(parts)),
    })
    return source ? 1 : before.width + inner.length - lengthBefore
  }

  // Tables

  #writeTable(before: Reading, source: Y.XmlElement, start: number, node: Node, newStart: number): void {
    const plan = planTable(before, source, node, start, newStart, this.#kept)
    if (plan.isNamed) nameColumns(source)
    writeAttributes(source, before.node, node)
    writeColumns(source, before.node, plan.columns)
    const written = plan.rows.filter(({ isUntouched }) => !isUntouched)
    for (const row of written) this.#writeRow(row)
    const rows = new Set(plan.deletedRows.map((row) => row.source))
    keepMergedText(before, { rows, columns: plan.deletedColumns })
    for (const row of written) this.#deleteCells(row, plan.deletedColumns)
    for (const reading of plan.deletedRows) this.#deleteFrom(source, reading)
    orderRows(source, insertRows(source, plan.rows, this.#findCopies))
  }

  #writeRow({ before, start, cells, newStart }: RowPlan): void {
    if (!before) return
    const row = before.source as Y.XmlElement
    const readings = new Map(before.children.map((cell, index) => [cell.node.attrs.col as string, index]))
    const starts = startsOf(
      before.children.map((cell) => cell.node),
      start + 1,
    )
    for (const { node, col, offset } of cells) {
      const index = readings.get(col)
      const old = index === undefined ? undefined : before.children[index]
      if (old?.source)
        this.#writeCell({ before: old, start: starts[index!]!, node, newStart: newStart + offset })
      else if (!old?.node.content.eq(node.content) || changesSpan(old.node, node))
        insertCell(row, before.children, index ?? 0, createCell(node, col, this.#findCopies))
    }
  }

  /** Deletes the cells that the steps took out of a row, also those of a column that somebody deleted. */
  #deleteCells({ before, cells }: RowPlan, deletedColumns: ReadonlySet<string>): void {
    const kept = new Set(cells.map(({ col }) => col))
    const isDeleted = (cell: Y.XmlElement) => deletedColumns.has(String(cell.getAttribute('col')))
    for (const cell of before?.children ?? []) {
      const { col } = cell.node.attrs as { col: string }
      if (!kept.has(col))
        this.#deleteFrom(
          before!.source as Y.XmlElement,
          cell,
          deletedColumns.has(col) ? isDeleted : undefined,
        )
    }
  }

  #writeCell({ before, start, node, newStart }: ChangedCell): void {
    if (before.node === node) return
    const source = before.source as Y.XmlElement
    writeAttributes(source, before.node, node)
    const after = node.children
    const pairs = new ChildPairs(before.children, start + 1, after, newStart + 1, this.#kept).pair()
    let [first, at, newFirst, newAt] = [0, start + 1, 0, newStart + 1]
    const parts = before.parts ?? [{ source, count: before.children.length }]
    for (const [index, part] of parts.entries()) {
      const end = first + part.count
      const isLast = index === parts.length - 1
      const own = before.children.slice(first, end)
      const newEnd = isLast ? after.length : firstPairedFrom(pairs, newFirst, end)
      const newOwn = after.slice(newFirst, newEnd)
      const ownPairs = pairs.slice(newFirst, newEnd).map((old) => (old < 0 ? old : old - first))
      this.#writePaired(
        { before: own, start: at, after: newOwn, newStart: newAt, pairs: ownPairs },
        part.source,
        0,
      )
      at += sizeOf(own.map((one) => one.node))
      newAt += sizeOf(newOwn)
      ;[first, newFirst] = [end, newEnd]
    }
  }

  /** Deletes all that the reading shows, wherever it stands in the shared type. */
  #deleteFrom(
    shared: Y.XmlElement,
    reading: Reading,
    isDeleted: (cell: Y.XmlElement) => boolean = () => true,
  ): void {
    const all = reading.parts?.map(({ source }) => source) ?? [reading.source as Y.XmlElement | null]
    const sources = all.filter((source) => source && isDeleted(source))
    this.#keepCopies(undescribedParts(reading))
    for (const source of sources) {
      const index = (shared.toArray() as unknown[]).indexOf(source)
      if (index >= 0) shared.delete(index, 1)
    }
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

  /** Returns how many children of `shared` the nodes are. */
  #insert(nodes: readonly Node[], shared: Y.XmlFragment, index: number): number {
    const parts = nodes.flatMap((node) => createBlocks(node, this.#findCopies))
    if (parts.length > 0) shared.insert(index, parts)
    return parts.length
  }

  #keepCopies(parts: Iterable<UndescribedPart>): void {
    for (const { node, copy } of parts) {
      this.#after.descendants((one) => {
        const kept = one.type === node.type && one.mark([]).eq(node) ? copy() : null
        if (kept) this.#copies.push([node, kept])
      })
    }
  }

  /** What was deleted in the same edit, or else what is still there. */
  readonly #findCopies: FindCopies = (node) => {
    const index = this.#copies.findIndex(([one]) => one.eq(node.mark([])))
    if (index >= 0) return this.#copies.splice(index, 1)[0]![1]
    for (const part of undescribedParts(this.#root)) if (part.node.eq(node.mark([]))) return part.copy()
    return null
  }
}

/** The index of the first child after that was one from `old` on before. */
function firstPairedFrom(pairs: readonly number[], first: number, old: number): number {
  const index = pairs.findIndex((one, at) => at >= first && one >= old)
  return index < 0 ? pairs.length : index
}

const sizeOf = (nodes: readonly Node[]): number => nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0)

type SharedParts = readonly (Y.XmlElement | Y.XmlText)[]

interface UndescribedPart {
  readonly node: Node
  copy(): SharedParts | null
}

function* undescribedParts({ node, unknown, children, inline }: Reading): Iterable<UndescribedPart> {
  if (unknown !== undefined && node.attrs.content === null)
    yield { node, copy: () => copyParts(unknown, false) }
  yield* undescribedInline(inline ?? [])
  for (const child of children) yield* undescribedParts(child)
}

/** Null where one of them cannot be copied. */
function copyParts(unknown: unknown, isEmbedded: boolean): SharedParts | null {
  const parts = unknown instanceof UnknownGroup ? unknown.parts : [unknown]
  const copies = parts.flatMap((part) => copyPart(part, isEmbedded) ?? [])
  return copies.length === parts.length ? copies : null
}

function* undescribedInline(parts: readonly InlineReading[]): Iterable<UndescribedPart> {
  for (const { node, unknown, child } of parts)
    if (node && unknown !== undefined && node.attrs.content === null)
      yield { node: node.mark([]), copy: () => copyParts(unknown, child instanceof Y.Text) }
}
