/** Reads values between commas, semicolons or tabs as a table whose first row is its head. */
import type { JsonNode } from '../blocks/json-node.ts'
import { readRows } from '../blocks/table/parse-cells.ts'
import {
  createColumn,
  formatColumns,
  MAX_CELLS,
  MAX_COLUMNS,
  newColumnId,
} from '../blocks/table/table-columns.ts'
import type { ImportLosses } from './import-losses.ts'
import { paragraphOf } from './json-letters.ts'

const separators = [',', ';', '\t', '|'] as const

export function readCsv(text: string, losses: ImportLosses): JsonNode[] {
  let end = text.length
  while (text[end - 1] === '\n') end--
  const lines = text.slice(0, end)
  const rows = readRows(lines, separatorOf(lines))
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  if (width > MAX_COLUMNS || width * rows.length > MAX_CELLS) {
    losses.count('table')
    return rows.map((row) => paragraphOf(row.join(' | ')))
  }
  return [tableOf(rows, width)]
}

/** The one that stands most often in the first line outside of quotation marks. */
function separatorOf(text: string): string {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split('\n', 1)
  const counts = separators.map((separator) => head.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))]!
}

function tableOf(rows: readonly (readonly string[])[], width: number): JsonNode {
  const columns = Array.from({ length: width }, () => createColumn(newColumnId()))
  return {
    type: 'table',
    attrs: { columns: formatColumns(columns), headerRow: rows.length > 1, headerColumn: false },
    content: rows.map((row, at) => ({
      type: 'tableRow',
      content: columns.map(({ id }, column) => ({
        type: 'tableCell',
        attrs: { col: id, header: at === 0 && rows.length > 1 },
        content: (row[column] ?? '').split('\n').map(paragraphOf),
      })),
    })),
  }
}
