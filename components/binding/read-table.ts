/**
 * Reads a table: rows and cells in the order in which they are shown, whatever that of their shared types is. Knows nothing of how a cell's
 * content is read.
 */
import type { Node, NodeType, Schema } from '@tiptap/pm/model'
import { Fragment } from '@tiptap/pm/model'
import type * as Y from 'yjs'
import { type StoredSpan, storedSpansIn } from '@/lib/blocks/table/merges.ts'
import { formatColumns } from '@/lib/blocks/table/table-columns.ts'
import {
  layoutTable,
  rowKeysOf,
  type ShownCell,
  shownCellsOf,
  type TableLayout,
} from '@/lib/blocks/table/table-layout.ts'
import { isOfTable } from '@/lib/blocks/table/table.ts'
import { type Formats, readAttributes } from './formats.ts'
import type { CellPart, Reading } from './reading.ts'

/** The content of a cell; null where it has none that fits. */
type ReadCellContent = (cell: Y.XmlElement, type: NodeType) => readonly Reading[] | null

/** What a table says by itself, by its rows and by its cells, whatever is in these. */
interface ReadLayout {
  readonly layout: TableLayout
  readonly rowKeys: readonly (string | null)[]
  readonly attributes: Formats
}

/** A row as it was read, and what it showed of its table. */
interface ReadRow {
  readonly key: string
  readonly reading: Reading
}

interface ShownRow {
  readonly layout: TableLayout
  readonly cells: readonly ShownCell[]
}

/** A table is two levels above its cells. Changes further below it are of a cell's content. */
const LEVELS_OF_LAYOUT = 2

export class TableReader {
  readonly #schema: Schema
  readonly #readContent: ReadCellContent
  readonly #layouts = new WeakMap<object, ReadLayout>()
  readonly #rows = new WeakMap<object, ReadRow>()
  readonly #shownRows = new WeakMap<object, ShownRow>()
  readonly #cells = new WeakMap<object, Reading>()
  readonly #virtualCells = new WeakMap<ShownCell, Reading>()
  readonly #spans = new WeakMap<object, readonly StoredSpan[]>()

  constructor(schema: Schema, readContent: ReadCellContent) {
    this.#schema = schema
    this.#readContent = readContent
  }

  /**
   * Drops what was read of a type that has changed, or in which one has.
   *
   * @param levels How many levels it is above the one that has changed.
   */
  forget(type: object, levels: number): void {
    this.#rows.delete(type)
    this.#cells.delete(type)
    if (levels > LEVELS_OF_LAYOUT) return
    this.#layouts.delete(type)
    this.#spans.delete(type)
  }

  readonly #spansIn = (row: Y.XmlElement): readonly StoredSpan[] => {
    const kept = this.#spans.get(row)
    if (kept) return kept
    const spans = storedSpansIn(row)
    this.#spans.set(row, spans)
    return spans
  }

  /** Null for a table that cannot be shown as one. */
  read(table: Y.XmlElement): Reading | null {
    const read = this.#layouts.get(table) ?? this.#readLayout(table)
    if (!read) return null
    const { layout, rowKeys, attributes } = read
    const rows = layout.rows.map((_row, index) => this.#readRow(index, rowKeys[index]!, layout))
    if (!rows.every((row) => row !== null)) return null
    const shown = rows.length > 0 ? rows : [this.#virtualRow(layout)]
    return readingOf(this.#schema.nodes.table!, attributes, shown, table)
  }

  #readLayout(table: Y.XmlElement): ReadLayout | null {
    const layout = layoutTable(table, this.#spansIn)
    if (!layout) return null
    const { columns, headerRow, headerColumn } = layout
    const attributes = {
      ...attributesOf(this.#schema.nodes.table!, table),
      columns: formatColumns(columns),
      headerRow,
      headerColumn,
    }
    const read = { layout, rowKeys: rowKeysOf(layout), attributes }
    this.#layouts.set(table, read)
    return read
  }

  /** @param key Null for a row that shows what is in others, or that others show. */
  #readRow(index: number, key: string | null, layout: TableLayout): Reading | null {
    const row = layout.rows[index]!
    const kept = this.#rows.get(row)
    if (kept && kept.key === key) return kept.reading
    const type = this.#schema.nodes.tableRow!
    const cells = this.#shownCellsOf(index, layout)?.map((cell) => this.#readCell(cell))
    if (!cells?.every((cell) => cell !== null)) return null
    const reading = readingOf(type, attributesOf(type, row), cells, row)
    if (key !== null) this.#rows.set(row, { key, reading })
    return reading
  }

  #shownCellsOf(index: number, layout: TableLayout): readonly ShownCell[] | null {
    const row = layout.rows[index]!
    const kept = this.#shownRows.get(row)
    if (kept?.layout === layout) return kept.cells
    const cells = shownCellsOf(index, layout)
    if (cells) this.#shownRows.set(row, { layout, cells })
    return cells
  }

  #virtualRow({ columns, headerRow, headerColumn }: TableLayout): Reading {
    const cells = columns.map(({ id, align }, index) =>
      this.#virtualCell({
        col: id,
        align,
        header: headerRow || (headerColumn && index === 0),
        rowspan: 1,
        colspan: 1,
      }),
    )
    return readingOf(this.#schema.nodes.tableRow!, {}, cells, null)
  }

  #readCell(cell: ShownCell): Reading | null {
    const { sources, ...shown } = cell
    const [first, ...others] = sources
    if (!first) {
      const virtual = this.#virtualCells.get(cell) ?? this.#virtualCell(shown)
      this.#virtualCells.set(cell, virtual)
      return virtual
    }
    const kept = this.#cells.get(first)
    if (kept && others.length === 0 && !kept.parts && hasAttributes(kept.node, shown)) return kept
    const type = this.#schema.nodes.tableCell!
    const contents = sources.map((source) => this.#readContent(source, type))
    if (!contents.every((content) => content !== null)) return null
    // Of cells that are shown as one, an empty line is none.
    const [firstShown = contents[0]!] = contents.filter((content) => !isBlank(content))
    const shownContents = contents.map((content) =>
      content === firstShown || !isBlank(content) ? content : [],
    )
    const children = shownContents.flat()
    const parts = shownContents.map((content, index): CellPart => ({
      source: sources[index]!,
      count: content.length,
    }))
    const reading = readingOf(type, { ...attributesOf(type, first), ...shown }, children, first)
    const read = others.length > 0 ? { ...reading, parts } : reading
    this.#cells.set(first, read)
    return read
  }

  #virtualCell(shown: Omit<ShownCell, 'sources'>): Reading {
    const { tableCell, paragraph } = this.#schema.nodes
    const line = { node: paragraph!.create(), source: null, children: [], inline: [], width: 0 }
    return readingOf(tableCell!, { ...shown }, [line], null)
  }
}

const hasAttributes = ({ attrs }: Node, shown: Omit<ShownCell, 'sources'>): boolean =>
  Object.entries(shown).every(([name, value]) => attrs[name] === value)

const isBlank = (content: readonly Reading[]): boolean =>
  content.length === 1 && content[0]!.inline !== null && content[0]!.node.content.size === 0

const attributesOf = (type: NodeType, element: Y.XmlElement): Formats =>
  readAttributes(
    type,
    Object.fromEntries(Object.entries(element.getAttributes()).filter(([key]) => !isOfTable(type.name, key))),
  )

const readingOf = (
  type: NodeType,
  attributes: Formats,
  children: readonly Reading[],
  source: Y.XmlElement | null,
): Reading => ({
  node: type.create(attributes, Fragment.fromArray(children.map(({ node }) => node))),
  source,
  children,
  inline: null,
  width: source ? 1 : 0,
})
