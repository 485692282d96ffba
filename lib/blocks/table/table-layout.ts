/**
 * Reads the shared type of a table as rows and columns. It is total and pure: whatever is stored, equal replicas read the same, and nothing
 * is written. A cell that a row lacks is virtual; cells of one column in one row are read one after the other; a cell whose column is gone
 * is not read. Knows Yjs; does not know the editor.
 */
import * as Y from 'yjs'
import { lengthOf } from '../../yjs-internals/shared-type.ts'
import { type MergedArea, resolveMerges, type StoredSpan, storedSpansIn } from './merges.ts'
import { compareKeys, isOrderKey } from './order-keys.ts'
import {
  type ColumnAlignment,
  createColumn,
  formatColumns,
  idOfPlace,
  MAX_COLUMNS,
  MAX_SHOWN_CELLS,
  readColumns,
  type TableColumn,
} from './table-columns.ts'

export interface TableLayout {
  readonly columns: readonly TableColumn[]
  readonly headerRow: boolean
  readonly headerColumn: boolean
  /** In the order in which they are shown. */
  readonly rows: readonly Y.XmlElement[]
  /** Whether the table names no columns, as another program writes one: a cell's place in its row is its column. */
  readonly isPositional: boolean
  readonly merges: readonly MergedArea[]
}

/** A cell of the table as it is shown. */
export interface ShownCell {
  readonly col: string
  readonly header: boolean
  readonly align: ColumnAlignment | null
  readonly rowspan: number
  readonly colspan: number
  /** What it shows, one after the other; empty for a virtual cell. A merged cell shows what is in those that it covers, too. */
  readonly sources: readonly Y.XmlElement[]
}

/** Another program's cells in a head have a name of their own. */
const cellNames: ReadonlySet<string> = new Set(['tableCell', 'tableHeader'])

const isCell = (part: unknown): part is Y.XmlElement =>
  part instanceof Y.XmlElement && cellNames.has(part.nodeName)

const isRow = (part: unknown): part is Y.XmlElement =>
  part instanceof Y.XmlElement && part.nodeName === 'tableRow'

/**
 * Null for a table with other content than rows, and for one that is too large to be shown.
 *
 * @param spansIn Who reads a table again and again keeps what a row that has not changed says.
 */
export function layoutTable(
  table: Y.XmlElement,
  spansIn: (row: Y.XmlElement) => readonly StoredSpan[] = storedSpansIn,
): TableLayout | null {
  const parts: readonly unknown[] = table.toArray()
  if (!parts.every(isRow)) return null
  const stored: Readonly<Record<string, unknown>> = table.getAttributes()
  const named = readColumns(stored)
  const isPositional = named.length === 0
  const columns = isPositional ? countedColumns(parts) : named
  const count = columns.length * Math.max(1, parts.length)
  if (columns.length > MAX_COLUMNS || count > MAX_SHOWN_CELLS) return null
  const rows = sortRows(parts)
  return {
    columns,
    headerRow: stored['headerRow'] === true,
    headerColumn: stored['headerColumn'] === true,
    rows,
    isPositional,
    merges: isPositional
      ? []
      : resolveMerges(
          rows.map(spansIn),
          columns.map(({ id }) => id),
        ),
  }
}

/**
 * All that a row shows of its table: while it stays the same, only what changes within the row changes the row. Null for a row that shows what
 * is in others, or that others show.
 */
export function rowKeysOf({
  columns,
  headerRow,
  headerColumn,
  isPositional,
  rows,
  merges,
}: TableLayout): readonly (string | null)[] {
  const key = `${headerColumn} ${isPositional} ${formatColumns(columns)}`
  const first = `${headerRow} ${key}`
  const keys: (string | null)[] = rows.map((_row, index) => (index === 0 ? first : key))
  for (const area of merges)
    for (let row = area.row; row < area.row + area.rows; row++)
      keys[row] = area.rows > 1 || keys[row] === null ? null : `${keys[row]} ${area.column}+${area.columns}`
  return keys
}

/** Null for a row that has other content than cells. */
export function shownCellsOf(index: number, layout: TableLayout): readonly ShownCell[] | null {
  const cells = cellsByColumn(layout.rows[index]!, layout)
  if (!cells) return null
  const isHead = index === 0 && layout.headerRow
  const areas = layout.merges.filter(({ row, rows }) => row <= index && index < row + rows)
  const shown: ShownCell[] = []
  for (const [column, { id, align }] of layout.columns.entries()) {
    const area = areas.find((one) => one.column <= column && column < one.column + one.columns)
    if (area && (area.row !== index || area.column !== column)) continue
    const sources = area ? cellsInArea(area, layout) : cells[column]!
    if (!sources) return null
    shown.push({
      col: id,
      header: isHead || (layout.headerColumn && column === 0) || cells[column]!.some(isHeader),
      align,
      rowspan: area?.rows ?? 1,
      colspan: area?.columns ?? 1,
      sources,
    })
  }
  return shown
}

/** Null where one of the rows has other content than cells. */
function cellsInArea(
  { row, rows, column, columns }: MergedArea,
  layout: TableLayout,
): readonly Y.XmlElement[] | null {
  const sources: Y.XmlElement[] = []
  for (let index = row; index < row + rows; index++) {
    const cells = cellsByColumn(layout.rows[index]!, layout)
    if (!cells) return null
    sources.push(...cells.slice(column, column + columns).flat())
  }
  return sources
}

const isHeader = ({ nodeName }: Y.XmlElement): boolean => nodeName === 'tableHeader'

function countedColumns(rows: readonly Y.XmlElement[]): TableColumn[] {
  const count = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 1)
  // One more than may be shown says that there are too many.
  return Array.from({ length: Math.min(count, MAX_COLUMNS + 1) }, (_, index) =>
    createColumn(idOfPlace(index)),
  )
}

/** A row without a key follows the row that it was inserted after, wherever that is moved. */
function sortRows(rows: readonly Y.XmlElement[]): readonly Y.XmlElement[] {
  let current = ''
  const keys = rows.map((row) => (current = orderKeyOf(row) ?? current))
  if (current === '') return rows
  return rows
    .map((row, index) => ({ row, index }))
    .toSorted((a, b) => compareKeys(keys[a.index]!, keys[b.index]!) || a.index - b.index)
    .map(({ row }) => row)
}

/** Null for a row that nobody has moved. */
export function orderKeyOf(row: Y.XmlElement): string | null {
  const key: unknown = row.getAttribute('order')
  return isOrderKey(key) ? key : null
}

/** The cells of each column in a row, in the order of the columns. Null for a row that has other content. */
function cellsByColumn(
  row: Y.XmlElement,
  { columns, isPositional }: TableLayout,
): readonly (readonly Y.XmlElement[])[] | null {
  const parts: readonly unknown[] = row.toArray()
  if (!parts.every(isCell)) return null
  if (isPositional) return columns.map((_column, index) => parts.slice(index, index + 1))
  const indexes = new Map(columns.map(({ id }, index) => [id, index]))
  const cells = columns.map((): Y.XmlElement[] => [])
  for (const cell of parts) {
    const id = columnIdOf(cell)
    if (id !== null) cells[indexes.get(id) ?? -1]?.push(cell)
  }
  placeUnnamed(parts, cells)
  return cells
}

/** Cells that name no column, as another program writes them, get one that is free, if it can be from their place on, or else the last. */
function placeUnnamed(parts: readonly Y.XmlElement[], cells: Y.XmlElement[][]): void {
  for (const [index, cell] of parts.entries()) {
    if (columnIdOf(cell) !== null) continue
    const free = cells.findIndex((one, at) => at >= index && one.length === 0)
    cells.at(free >= 0 ? free : cells.findIndex((one) => one.length === 0))!.push(cell)
  }
}

/** Null for a cell that names none. Tiptap's own binding stores the default, an empty name. */
function columnIdOf(cell: Y.XmlElement): string | null {
  const id: unknown = cell.getAttribute('col')
  return typeof id === 'string' && id !== '' ? id : null
}
