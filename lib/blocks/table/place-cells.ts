/** Says which column each cell of a row stands in, whatever the row's cells say. Knows no Yjs. */
import { createColumn, newColumnId, type TableColumn } from './table-columns.ts'

/** What is read of a cell. */
interface PlaceableCell {
  readonly attrs: Readonly<Record<string, unknown>>
  readonly nodeSize: number
}

export interface PlacedCell<Cell> {
  readonly node: Cell
  readonly col: string
  /** From the beginning of the row's content. */
  readonly offset: number
}

/**
 * A cell stands in the column that it names, unless another one does already. Others get the next free column, and where there is none, a
 * new one. So no cell is lost that was pasted, or joined with another row's.
 *
 * @param columns A new column is added to these.
 * @param gone The columns that were deleted, with whose cells goes what they hold.
 */
export function placeCells<Cell extends PlaceableCell>(
  cells: readonly Cell[],
  columns: TableColumn[],
  gone: ReadonlySet<string> = new Set(),
): PlacedCell<Cell>[] {
  const known = new Set(columns.map(({ id }) => id))
  const taken = new Map<string, Cell>()
  for (const cell of cells) {
    const id = String(cell.attrs['col'])
    if (known.has(id) && !taken.has(id)) taken.set(id, cell)
  }
  const placed: PlacedCell<Cell>[] = []
  let [offset, next] = [0, 0]
  for (const node of cells) {
    let col = String(node.attrs['col'])
    if (taken.get(col) === node) next = columns.findIndex(({ id }) => id === col) + 1
    else if (!gone.has(col)) {
      while (next < columns.length && taken.has(columns[next]!.id)) next += 1
      if (next === columns.length) columns.push(createColumn(newColumnId()))
      col = columns[next]!.id
      taken.set(col, node)
      next += 1
    }
    if (taken.get(col) === node) placed.push({ node, col, offset })
    offset += node.nodeSize
  }
  return placed
}
