/**
 * Merged cells. A merge is two numbers of the cell that it begins at: how many columns and rows it covers. What the covered cells hold stays
 * in them, and is shown in the merged one. So who merges cells moves no letter, and splitting them gives each its own back.
 *
 * Where a merge meets the edge of the table, or another merge before it, it is clipped; and a row of which merges would leave no cell is not
 * covered.
 */
import * as Y from 'yjs'

export interface StoredSpan {
  readonly col: string
  readonly rows: number
  readonly columns: number
}

export interface MergedArea {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

const MAX_SPAN = 20_000

/** A number of rows or columns; 1 for whatever else is stored. */
export const spanOf = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 1 && value <= MAX_SPAN ? value : 1

/** Of the cells in a row. Few rows have any. */
export function storedSpansIn(row: Y.XmlElement): readonly StoredSpan[] {
  const spans: StoredSpan[] = []
  for (const cell of row.toArray() as unknown[]) {
    if (!(cell instanceof Y.XmlElement)) continue
    const stored: Readonly<Record<string, unknown>> = cell.getAttributes()
    const [rows, columns] = [spanOf(stored['rowspan']), spanOf(stored['colspan'])]
    if ((rows > 1 || columns > 1) && typeof stored['col'] === 'string')
      spans.push({ col: stored['col'], rows, columns })
  }
  return spans
}

/** @param spans Of each row, in the order in which the rows are shown. */
export function resolveMerges(
  spans: readonly (readonly StoredSpan[])[],
  columns: readonly string[],
): readonly MergedArea[] {
  if (spans.every((row) => row.length === 0)) return []
  const indexes = new Map(columns.map((id, index) => [id, index]))
  const grid = new MergeGrid(spans.length, columns.length)
  return spans.flatMap((row, index) =>
    row
      .map((span) => ({ ...span, column: indexes.get(span.col) ?? -1 }))
      .filter(({ column }) => column >= 0)
      .toSorted((a, b) => a.column - b.column)
      .flatMap(({ column, ...span }) => grid.merge(index, column, span) ?? []),
  )
}

/** The places that merges cover. */
class MergeGrid {
  readonly #rowCount: number
  readonly #columnCount: number
  readonly #taken = new Set<number>()
  /** How many cells each row has left. */
  readonly #left: number[]

  constructor(rowCount: number, columnCount: number) {
    this.#rowCount = rowCount
    this.#columnCount = columnCount
    this.#left = Array.from({ length: rowCount }, () => columnCount)
  }

  /** Null where nothing is left of the merge. */
  merge(row: number, column: number, span: Omit<StoredSpan, 'col'>): MergedArea | null {
    const columns = this.#freeColumns(row, column, span.columns)
    const rows = this.#freeRows(row, column, columns, span.rows)
    if (columns * rows <= 1) return null
    for (let at = row; at < row + rows; at++) {
      for (let place = column; place < column + columns; place++) this.#taken.add(this.#key(at, place))
      this.#left[at]! -= at === row ? columns - 1 : columns
    }
    return { row, column, rows, columns }
  }

  #freeColumns(row: number, column: number, wanted: number): number {
    let count = 0
    while (count < wanted && column + count < this.#columnCount && !this.#isTaken(row, column + count))
      count += 1
    return count
  }

  #freeRows(row: number, column: number, columns: number, wanted: number): number {
    let count = 1
    while (count < wanted && row + count < this.#rowCount) {
      if (this.#left[row + count]! <= columns || this.#freeColumns(row + count, column, columns) < columns)
        break
      count += 1
    }
    return count
  }

  #isTaken = (row: number, column: number): boolean => this.#taken.has(this.#key(row, column))

  #key = (row: number, column: number): number => row * this.#columnCount + column
}
