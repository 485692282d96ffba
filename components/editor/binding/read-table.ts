/**
 * Reads a table: rows and cells in the order in which they are shown, whatever that of their shared types is. Knows nothing of how a cell's
 * content is read.
 */
import type { Node, NodeType, Schema } from '@tiptap/pm/model'
import { Fragment } from '@tiptap/pm/model'
import type * as Y from 'yjs'
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

/** A row as it was read, and what it showed of its table. */
interface ReadRow {
  readonly key: string
  readonly reading: Reading
}

export class TableReader {
  readonly #schema: Schema
  readonly #readContent: ReadCellContent
  readonly #rows = new WeakMap<object, ReadRow>()
  readonly #cells = new WeakMap<object, Reading>()

  constructor(schema: Schema, readContent: ReadCellContent) {
    this.#schema = schema
    this.#readContent = readContent
  }

  /** Drops the readings of a type that has changed. */
  forget(type: object): void {
    this.#rows.delete(type)
    this.#cells.delete(type)
  }

  /** Null for a table that cannot be shown as one. */
  read(table: Y.XmlElement): Reading | null {
    const layout = layoutTable(table)
    if (!layout) return null
    const keys = rowKeysOf(layout)
    const rows = layout.rows.map((row, at) => this.#readRow(row, keys[at]!, at === 0, layout))
    if (!rows.every((row) => row !== null)) return null
    const { columns, headerRow, headerColumn } = layout
    const type = this.#schema.nodes.table!
    const attributes = {
      ...attributesOf(type, table),
      columns: formatColumns(columns),
      headerRow,
      headerColumn,
    }
    return readingOf(type, attributes, rows.length > 0 ? rows : [this.#virtualRow(layout)], table)
  }

  #readRow(row: Y.XmlElement, key: string, isFirst: boolean, layout: TableLayout): Reading | null {
    const kept = this.#rows.get(row)
    if (kept?.key === key) return kept.reading
    const type = this.#schema.nodes.tableRow!
    const cells = shownCellsOf(row, isFirst, layout)?.map((cell) => this.#readCell(cell))
    if (!cells?.every((cell) => cell !== null)) return null
    const reading = readingOf(type, attributesOf(type, row), cells, row)
    this.#rows.set(row, { key, reading })
    return reading
  }

  #virtualRow({ columns, headerRow, headerColumn }: TableLayout): Reading {
    const cells = columns.map(({ id, align }, index) =>
      this.#virtualCell({ col: id, align, header: headerRow || (headerColumn && index === 0) }),
    )
    return readingOf(this.#schema.nodes.tableRow!, {}, cells, null)
  }

  #readCell({ sources, ...shown }: ShownCell): Reading | null {
    const [first, ...others] = sources
    if (!first) return this.#virtualCell(shown)
    const kept = this.#cells.get(first)
    if (kept && others.length === 0 && !kept.parts && hasAttributes(kept.node, shown)) return kept
    const type = this.#schema.nodes.tableCell!
    const children: Reading[] = []
    const parts: CellPart[] = []
    for (const source of sources) {
      const content = this.#readContent(source, type)
      if (!content) return null
      // Where two people fill a cell at once, an empty line of one of them is not shown.
      const isShown = children.length === 0 || content.some(({ width }) => width > 0)
      if (isShown) children.push(...content)
      parts.push({ source, count: isShown ? content.length : 0 })
    }
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

const hasAttributes = ({ attrs }: Node, { col, header, align }: Omit<ShownCell, 'sources'>): boolean =>
  attrs.col === col && attrs.header === header && attrs.align === align

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
