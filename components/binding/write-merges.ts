/**
 * Keeps the text of a merged cell of which a person deletes some of the rows or columns: what stays of it gets what stood in the others. They
 * see one cell, and not in which of those that it covers a line is stored.
 */
import type { Node } from '@tiptap/pm/model'
import * as Y from 'yjs'
import { tableCell } from '@/lib/blocks/table/table.ts'
import { parseColumns } from '@/lib/blocks/table/table-columns.ts'
import type { Reading } from './reading.ts'

/** What a person's steps deleted. */
export interface DeletedParts {
  readonly rows: ReadonlySet<unknown>
  readonly columns: ReadonlySet<string>
}

export function keepMergedText({ node, children: rows }: Reading, deleted: DeletedParts): void {
  if (deleted.rows.size === 0 && deleted.columns.size === 0) return
  const columns = parseColumns(node.attrs.columns).map(({ id }) => id)
  for (const [index, row] of rows.entries())
    for (const cell of row.children) if (isMerged(cell.node)) keepText(cell, index, rows, columns, deleted)
}

const isMerged = ({ attrs }: Node): boolean => attrs.rowspan > 1 || attrs.colspan > 1

const columnOf = (cell: Y.XmlElement): string => String(cell.getAttribute('col'))

function keepText(
  { node, source, parts }: Reading,
  row: number,
  rows: readonly Reading[],
  columns: readonly string[],
  deleted: DeletedParts,
): void {
  const { rowspan, colspan, col } = node.attrs as { rowspan: number; colspan: number; col: string }
  const first = columns.indexOf(col)
  const keptRows = rows.slice(row, row + rowspan).filter((one) => !deleted.rows.has(one.source))
  const keptColumns = columns.slice(first, first + colspan).filter((id) => !deleted.columns.has(id))
  const isWhole = keptRows.length === rowspan && keptColumns.length === colspan
  if (isWhole || keptRows.length === 0 || keptColumns.length === 0) return
  const isDeleted = (cell: Y.XmlElement): boolean =>
    deleted.rows.has(cell.parent) || deleted.columns.has(columnOf(cell))
  const sources = parts?.map((part) => part.source) ?? (source ? [source as Y.XmlElement] : [])
  const gone = (parts ?? sources.map((one) => ({ source: one, count: 1 }))).filter((part) =>
    isDeleted(part.source),
  )
  const stays = sources.find((one) => !isDeleted(one))
  const target = stays ?? createCell(keptRows[0]!.source as Y.XmlElement, keptColumns[0]!)
  const copies = gone.flatMap((part) => (part.count > 0 ? copyContent(part.source) : []))
  target.insert(isDeleted(sources[0] ?? target) ? 0 : target.length, copies)
  setSpan(target, 'rowspan', keptRows.length)
  setSpan(target, 'colspan', keptColumns.length)
  for (const part of gone) deleteCell(part.source)
}

function createCell(row: Y.XmlElement, col: string): Y.XmlElement {
  const cell = new Y.XmlElement(tableCell.name)
  row.insert(row.length, [cell])
  cell.setAttribute('col', col)
  return cell
}

const copyContent = (cell: Y.XmlElement): (Y.XmlElement | Y.XmlText)[] =>
  cell
    .toArray()
    .flatMap((part: unknown) =>
      part instanceof Y.XmlElement || part instanceof Y.XmlText ? [part.clone()] : [],
    )

function setSpan(cell: Y.XmlElement, name: 'rowspan' | 'colspan', count: number): void {
  if (count > 1) cell.setAttribute(name, count as never)
  else if (cell.getAttribute(name) !== undefined) cell.removeAttribute(name)
}

function deleteCell(cell: Y.XmlElement): void {
  const row = cell.parent as Y.XmlElement | null
  const index = (row?.toArray() as unknown[] | undefined)?.indexOf(cell) ?? -1
  if (index >= 0) row!.delete(index, 1)
}
