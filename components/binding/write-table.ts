/**
 * What a person's steps changed in a table: columns are attributes of its shared type, each row and cell is found by what it is, wherever
 * it stands, and a row that was moved changes one attribute (docs/architecture/tables.md).
 */
import type { Node } from '@tiptap/pm/model'
import type * as Y from 'yjs'
import { assignOrderKeys, initialOrderKey } from '@/lib/blocks/table/order-keys.ts'
import { placeCells, type PlacedCell } from '@/lib/blocks/table/place-cells.ts'
import {
  columnChangesOf,
  idOfPlace,
  parseColumns,
  readColumns,
  storedColumnsOf,
  type TableColumn,
} from '@/lib/blocks/table/table-columns.ts'
import { layoutTable, orderKeyOf } from '@/lib/blocks/table/table-layout.ts'
import { ChildPairs, startsOf } from './child-pairs.ts'
import { createRow, type FindCopies } from './create-parts.ts'
import { keptPositionOf, type KeptStretch } from './kept-stretches.ts'
import { isVirtual, type Reading } from './reading.ts'

export interface TablePlan {
  readonly columns: readonly TableColumn[]
  /** In the order after the steps. */
  readonly rows: readonly RowPlan[]
  readonly deletedRows: readonly Reading[]
  /** The ids of those that the steps took out. */
  readonly deletedColumns: ReadonlySet<string>
  /** Whether the table has to name its columns first, because another program wrote it without. */
  readonly isNamed: boolean
}

export interface RowPlan {
  /** Null for a new row. */
  readonly before: Reading | null
  /** Where the row began before the steps. */
  readonly start: number
  readonly cells: readonly PlacedCell<Node>[]
  /** Where the content of the row begins after the steps. */
  readonly newStart: number
  readonly isUntouched: boolean
}

export interface ChangedCell {
  readonly before: Reading
  /** Where the cell began before the steps, and `newStart` after. */
  readonly start: number
  readonly node: Node
  readonly newStart: number
}

/**
 * Returns the cells whose content the steps changed, as a key does; null where they changed anything else of the table: then it needs a plan.
 *
 * @param start Where the table, or a row or cell of it, begins in the document before, and `newStart` after.
 */
export function changedCellsOf(
  before: Reading,
  start: number,
  node: Node,
  newStart: number,
  kept: readonly KeptStretch[],
): readonly ChangedCell[] | null {
  const { type, attrs } = before.node
  if (keptPositionOf(kept, start) !== newStart || type !== node.type || attrs !== node.attrs) return null
  if (before.node === node) return []
  if (type.spec.tableRole === 'cell') return before.source ? [{ before, start, node, newStart }] : null
  if (before.children.length !== node.childCount) return null
  const changed: ChangedCell[] = []
  let [at, newAt] = [start + 1, newStart + 1]
  for (const [index, child] of before.children.entries()) {
    const after = node.child(index)
    const inChild = changedCellsOf(child, at, after, newAt, kept)
    if (!inChild) return null
    changed.push(...inChild)
    at += child.node.nodeSize
    newAt += after.nodeSize
  }
  return changed
}

/** @param start Where the content of the table begins in the document before, and `newStart` after. */
export function planTable(
  before: Reading,
  source: Y.XmlElement,
  after: Node,
  start: number,
  newStart: number,
  kept: readonly KeptStretch[],
): TablePlan {
  const present = parseColumns(before.node.attrs.columns)
  const wanted = parseColumns(after.attrs.columns)
  const columns = [...(wanted.length > 0 ? wanted : present)]
  const isSameColumns = before.node.attrs.columns === after.attrs.columns
  const ids = new Set(columns.map(({ id }) => id))
  const gone = new Set(present.flatMap(({ id }) => (ids.has(id) ? [] : [id])))
  const pairs = pairRows(before.children, start, after, newStart, kept)
  const [starts, newStarts] = [
    startsOf(
      before.children.map(({ node }) => node),
      start,
    ),
    startsOf(after.children, newStart),
  ]
  const rows = after.children.map((node, index): RowPlan => {
    const old = pairs[index]!
    const reading = before.children[old]
    const isUntouched = isSameColumns && reading?.node === node
    // Somebody wrote in one cell of a row that was only shown: its other cells stay so.
    const shownOnly = isSameColumns && reading && isVirtual(reading) ? reading.children : []
    const isShownOnly = ({ node: cell }: PlacedCell<Node>): boolean =>
      shownOnly.some((shown) => shown.node.eq(cell))
    return {
      before: reading && !isVirtual(reading) ? reading : null,
      start: starts[old] ?? 0,
      cells: isUntouched ? [] : placeCells(node.children, columns, gone).filter((cell) => !isShownOnly(cell)),
      newStart: newStarts[index]! + 1,
      isUntouched,
    }
  })
  const paired = new Set(pairs)
  const isWritten = !isSameColumns || columns.length > wanted.length || rows.some(changesCells)
  return {
    columns,
    // A row that is only shown stays so.
    rows: rows.filter(({ before: row, isUntouched }) => row || !isUntouched),
    deletedColumns: gone,
    deletedRows: before.children.filter((row, index) => row.source && !paired.has(index)),
    isNamed: isWritten && readColumns(source.getAttributes()).length === 0,
  }
}

/** Whether other things than the content of stored cells changed. */
function changesCells({ before, cells, isUntouched }: RowPlan): boolean {
  if (isUntouched) return false
  if (!before || cells.length !== before.children.length) return true
  return cells.some(({ node, col }, index) => {
    const old = before.children[index]!
    return (
      old.node.attrs.col !== col ||
      changesSpan(old.node, node) ||
      (!old.source && !old.node.content.eq(node.content))
    )
  })
}

export const changesSpan = ({ attrs }: Node, after: Node): boolean =>
  attrs.rowspan !== after.attrs.rowspan || attrs.colspan !== after.attrs.colspan

/** The index before of each row after; -1 for a new one. A row that was deleted in one place and inserted in another has moved. */
function pairRows(
  before: readonly Reading[],
  start: number,
  after: Node,
  newStart: number,
  kept: readonly KeptStretch[],
): readonly number[] {
  const pairs = [...new ChildPairs(before, start, after.children, newStart, kept).pair()]
  const free = new Set(before.keys())
  for (const old of pairs) free.delete(old)
  for (const [index, node] of after.children.entries()) {
    if (pairs[index] !== -1) continue
    const moved = [...free].find((old) => before[old]!.source && before[old]!.node.eq(node))
    if (moved === undefined) continue
    pairs[index] = moved
    free.delete(moved)
  }
  return pairs
}

/** The same in every window: two that name the columns of one table at once agree. */
export function nameColumns(table: Y.XmlElement): void {
  const layout = layoutTable(table)!
  for (const [key, value] of Object.entries(storedColumnsOf(layout.columns))) setAttribute(table, key, value)
  for (const row of layout.rows)
    for (const [index, cell] of row.toArray().entries())
      setAttribute(cell as Y.XmlElement, 'col', idOfPlace(index))
}

export function writeColumns(table: Y.XmlElement, before: Node, columns: readonly TableColumn[]): void {
  const changes = columnChangesOf(table.getAttributes(), parseColumns(before.attrs.columns), columns)
  for (const [key, value] of changes) {
    if (value === null) table.removeAttribute(key)
    else setAttribute(table, key, value)
  }
}

/** A new row stands after the one that is shown before it. */
export function insertRows(
  table: Y.XmlElement,
  rows: readonly RowPlan[],
  findCopies: FindCopies,
): readonly Y.XmlElement[] {
  let previous: Y.XmlElement | null = null
  return rows.map(({ before, cells }) => {
    const row: Y.XmlElement = (before?.source as Y.XmlElement | undefined) ?? createRow(cells, findCopies)
    if (!before) table.insertAfter(previous, [row])
    previous = row
    return row
  })
}

/** Gives as few rows as possible a new key, so that they are shown in this order. */
export function orderRows(table: Y.XmlElement, wanted: readonly Y.XmlElement[]): void {
  const shown = layoutTable(table)?.rows ?? []
  if (shown.length !== wanted.length || shown.every((row, index) => row === wanted[index])) return
  const stored: readonly unknown[] = table.toArray()
  const hasKeys = wanted.some((row) => orderKeyOf(row) !== null)
  const present = wanted.map((row) => (hasKeys ? orderKeyOf(row) : initialOrderKey(stored.indexOf(row))))
  for (const [index, key] of assignOrderKeys(present).entries())
    if (orderKeyOf(wanted[index]!) !== key) wanted[index]!.setAttribute('order', key)
}

/** Puts a cell into a row, after those that are shown before it. */
export function insertCell(
  row: Y.XmlElement,
  shown: readonly Reading[],
  index: number,
  cell: Y.XmlElement,
): void {
  const previous = shown.slice(0, index).findLast(({ source }) => source)
  row.insertAfter((previous?.source as Y.XmlElement | undefined) ?? null, [cell])
}

const setAttribute = (element: Y.XmlElement, name: string, value: unknown): void =>
  element.setAttribute(name, value as string)
