/** Cells of a table as the selection: all between two of them. Copy, cut, delete and formats act on each. */
import { Fragment, type Node, type ResolvedPos, Slice } from '@tiptap/pm/model'
import { Selection, SelectionRange, type Transaction } from '@tiptap/pm/state'
import type { Mappable } from '@tiptap/pm/transform'
import { formatColumns } from '@/lib/blocks/table/table-columns.ts'
import { areaAround, type CellArea, cellsIn, type GridCell, gridOf, type TableGrid } from './table-grid.ts'

export class CellSelection extends Selection {
  readonly $anchorCell: ResolvedPos
  readonly $headCell: ResolvedPos
  readonly area: CellArea
  /** What was selected before a handle selected these cells for its menu. Null for cells that a person has selected. */
  readonly before: Selection | null

  /** Each position is the one before a cell. Shift with an arrow moves the second. */
  constructor($anchorCell: ResolvedPos, $headCell = $anchorCell, before: Selection | null = null) {
    const grid = gridOf($anchorCell.node(-1))
    const start = $anchorCell.start(-1)
    const [anchor, head] = [$anchorCell, $headCell].map(({ pos }) => cellFrom(grid, pos - start)!)
    const area = areaAround(grid, anchor!, head!)
    const doc = $anchorCell.node(0)
    const ranges = cellsIn(grid, area).map(({ node, offset }) => {
      const from = start + offset + 1
      return new SelectionRange(doc.resolve(from), doc.resolve(from + node.content.size))
    })
    super(ranges[0]!.$from, ranges[0]!.$to, ranges)
    this.$anchorCell = $anchorCell
    this.$headCell = $headCell
    this.area = area
    this.before = before
  }

  /** All between the cells at these places of the table that begins at `table`. */
  static between(doc: Node, table: number, anchor: GridCell, head: GridCell): CellSelection {
    return new CellSelection(doc.resolve(table + 1 + anchor.offset), doc.resolve(table + 1 + head.offset))
  }

  get table(): Node {
    return this.$anchorCell.node(-1)
  }

  /** The position before the table. */
  get tableStart(): number {
    return this.$anchorCell.before(-1)
  }

  override map(doc: Node, mapping: Mappable): Selection {
    const [anchor, head] = [this.$anchorCell, this.$headCell].map(({ pos }) => doc.resolve(mapping.map(pos)))
    return cellsBetween(anchor!, head!, this.before && this.before.map(doc, mapping))
  }

  /** A table of these cells. */
  override content(): Slice {
    const { table, area } = this
    const { columns } = gridOf(table)
    const chosen = new Set(cellsIn(gridOf(table), area).map(({ node }) => node))
    const rows = table.children
      .slice(area.rows.first, area.rows.last + 1)
      .map((row) => row.copy(Fragment.from(row.children.filter((cell) => chosen.has(cell)))))
      .filter(({ childCount }) => childCount > 0)
    const attributes = {
      ...table.attrs,
      columns: formatColumns(columns.slice(area.columns.first, area.columns.last + 1)),
      headerRow: table.attrs.headerRow === true && area.rows.first === 0,
      headerColumn: table.attrs.headerColumn === true && area.columns.first === 0,
    }
    return new Slice(Fragment.from(table.type.create(attributes, rows)), 0, 0)
  }

  /** Empties the cells, and puts the content into the first. */
  override replace(tr: Transaction, content = Slice.empty): void {
    const before = tr.steps.length
    for (const [index, { $from, $to }] of this.ranges.entries()) {
      const mapping = tr.mapping.slice(before)
      tr.replace(mapping.map($from.pos), mapping.map($to.pos), index === 0 ? content : Slice.empty)
    }
    if (content.size === 0) return
    const end = tr.doc.resolve(this.ranges[0]!.$from.before() + 1)
    tr.setSelection(Selection.near(tr.doc.resolve(end.end()), -1))
  }

  override replaceWith(tr: Transaction, node: Node): void {
    this.replace(tr, new Slice(Fragment.from(node), 0, 0))
  }

  override eq(other: Selection): boolean {
    return (
      other instanceof CellSelection &&
      other.$anchorCell.pos === this.$anchorCell.pos &&
      other.$headCell.pos === this.$headCell.pos
    )
  }

  /** Nothing reads it: a selection is never stored. */
  override toJSON(): { readonly type: string; readonly anchor: number; readonly head: number } {
    return { type: 'cells', anchor: this.$anchorCell.pos, head: this.$headCell.pos }
  }
}

CellSelection.prototype.visible = false

const cellFrom = ({ cells }: TableGrid, offset: number): GridCell | undefined =>
  cells.find((cell) => cell.offset === offset)

/** Selects the cells between two; if an edit has taken one of them, or put them into two tables, what was before, or a caret. */
export function cellsBetween(
  $anchor: ResolvedPos,
  $head: ResolvedPos,
  before: Selection | null = null,
): Selection {
  const areCells = [$anchor, $head].every(isBeforeCell) && $anchor.start(-1) === $head.start(-1)
  return areCells ? new CellSelection($anchor, $head, before) : (before ?? Selection.near($head))
}

const isBeforeCell = ({ parent, nodeAfter }: ResolvedPos): boolean =>
  parent.type.spec.tableRole === 'row' && nodeAfter !== null

/** The position before the innermost cell around a position; null outside of tables. */
export function cellAround($pos: ResolvedPos): ResolvedPos | null {
  for (let depth = $pos.depth; depth > 0; depth--)
    if ($pos.node(depth).type.spec.tableRole === 'cell') return $pos.node(0).resolve($pos.before(depth))
  return null
}
