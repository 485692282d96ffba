/**
 * Tables in Markdown, as GitHub writes them: a cell is one line, in which `<br>` stands between blocks, and the first row is a head. A
 * table without one gets a head of empty cells, which is left out when it is read.
 */
import type { AlignType, BlockContent, Paragraph, PhrasingContent, TableCell } from 'mdast'
import { isTableRule } from '../../text/detect-markdown.ts'
import { type Block, isTextNode } from '../../text/tree.ts'
import type { JsonNode } from '../json-node.ts'
import type { MarkdownReader, MarkdownWriter, NodeMarkdown } from '../markdown-types.ts'
import { spanOf } from './merges.ts'
import {
  createColumn,
  formatColumns,
  MAX_CELLS,
  MAX_COLUMNS,
  parseColumns,
  type TableColumn,
} from './table-columns.ts'

const lineEnd: PhrasingContent = { type: 'html', value: '<br>' }

function writeTable(block: Block, writer: MarkdownWriter): BlockContent[] {
  const columns = parseColumns(block.attributes['columns'])
  const rows = blocksIn(block).map((row) =>
    placedCellsOf(row, columns).map((cell) => writeCell(cell, writer)),
  )
  const width = Math.max(columns.length, ...rows.map((row) => row.length))
  const head = Array.from({ length: width }, (): TableCell => ({ type: 'tableCell', children: [] }))
  if (block.attributes['headerRow'] !== true || rows.length === 0) rows.unshift(head)
  const align = head.map((_cell, index): AlignType => columns[index]?.align ?? null)
  return [{ type: 'table', align, children: rows.map((children) => ({ type: 'tableRow', children })) }]
}

const blocksIn = ({ children }: Block): Block[] => children.filter((node): node is Block => !isTextNode(node))

/** Null for a place that a merged cell covers. */
function placedCellsOf(row: Block, columns: readonly TableColumn[]): (Block | null)[] {
  const cells = blocksIn(row)
  if (
    !cells.some(
      ({ attributes }) =>
        spanOf(attributes['colspan']) * spanOf(attributes['rowspan']) > 1 || cells.length < columns.length,
    )
  )
    return cells
  return columns.map(({ id }) => cells.find(({ attributes }) => attributes['col'] === id) ?? null)
}

function writeCell(cell: Block | null, writer: MarkdownWriter): TableCell {
  if (!cell) return { type: 'tableCell', children: [] }
  const written = writer.linesIn(cell, lineEnd).filter((line) => line.length > 0)
  return {
    type: 'tableCell',
    children: written.flatMap((line, index) => (index === 0 ? line : [lineEnd, ...line])),
  }
}

/** The parser reads a table as a paragraph. Null for any other one. */
function readTable(node: Paragraph, reader: MarkdownReader): readonly JsonNode[] | null {
  const lines = reader.linesOf(node)
  const [first = '', second] = lines
  if (second === undefined || !first.includes('|') || !isTableRule(second)) return null
  const [head = [], rule = [], ...rows] = lines.map(cellsOf)
  const width = Math.max(...[head, ...rows].map((row) => row.length))
  if (width > MAX_COLUMNS || width * (rows.length + 1) > MAX_CELLS) {
    reader.lost.table++
    return lines.map((line) => ({ type: 'paragraph', content: [{ type: 'text', text: line }] }))
  }
  const cells = [head, ...rows].map((row) => row.map((cell) => reader.inlineOf(cell)))
  return [createTable(cells, rule.map(alignOf))]
}

const cellsOf = (row: string): string[] =>
  row
    .replaceAll(/^\s*\||(?<!\\)\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

function alignOf(rule: string): AlignType {
  const [starts, ends] = [rule.startsWith(':'), rule.endsWith(':')]
  return ends ? (starts ? 'center' : 'right') : starts ? 'left' : null
}

/** @param rows The letters of each cell, the head first. */
export function createTable(
  rows: readonly (readonly (readonly JsonNode[])[])[],
  align: readonly AlignType[],
): JsonNode {
  const width = Math.max(...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, index) =>
    createColumn(String(index), align[index] ?? null),
  )
  const [head, ...body] = rows
  const headerRow = body.length === 0 || head!.some((cell) => cell.length > 0)
  const shown = headerRow ? rows : body
  return {
    type: 'table',
    attrs: { columns: formatColumns(columns), headerRow },
    content: shown.map((row, at) => ({
      type: 'tableRow',
      content: columns.map(({ id, align: shownAlign }, index) => ({
        type: 'tableCell',
        attrs: { col: id, header: headerRow && at === 0, align: shownAlign },
        content: [{ type: 'paragraph', content: row[index] ?? [] }],
      })),
    })),
  }
}

export const tableMarkdown: NodeMarkdown = { write: writeTable, read: { paragraph: readTable } }
