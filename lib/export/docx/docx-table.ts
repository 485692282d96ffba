/** Tables of Word: widths, merges, alignment, and a head that is repeated on each page. */
import { AlignmentType, LineRuleType, Paragraph, Table, TableCell, TableRow, WidthType } from 'docx'
import { spanOf } from '../../blocks/table/merges.ts'
import { parseColumns } from '../../blocks/table/table-columns.ts'
import { type Block, blocksAmong } from '../../text/tree.ts'
import type { DocxPlace } from './docx-place.ts'
import type { DocxWriter, WrittenBlock } from './docx-writer.ts'

/** Twentieths of a point in a pixel of CSS. */
const TWIPS = 15

/** Its letters are bold without being marked so. */
export const HEAD_STYLE = 'TableHeading'

const alignments = {
  left: AlignmentType.LEFT,
  center: AlignmentType.CENTER,
  right: AlignmentType.RIGHT,
} as const

export function writeDocxTable(table: Block, place: DocxPlace, writer: DocxWriter): WrittenBlock[] {
  const columns = parseColumns(table.attributes['columns'])
  const rows = blocksAmong(table.children)
  if (columns.length === 0 || rows.length === 0) return writer.blocks(rows, place)
  const free = Math.max(80, Math.floor(place.width / columns.length))
  const widths = columns.map(({ width }) => (width ?? free) * TWIPS)
  const written = rows.map((row, at) => {
    const isHead = at === 0 && table.attributes['headerRow'] === true
    const cells = blocksAmong(row.children).map((cell) => {
      const first = columns.findIndex(({ id }) => id === cell.attributes['col'])
      const colspan = spanOf(cell.attributes['colspan'])
      const width = widths.slice(first, first + colspan).reduce((sum, one) => sum + one, 0)
      return writeCell(cell, { ...place, indent: 0, depth: 0, width: width / TWIPS - 14 }, writer)
    })
    return new TableRow({ children: cells, ...(isHead && { tableHeader: true }), cantSplit: true })
  })
  const isWide = columns.every(({ width }) => width === null)
  return [
    new Table({
      rows: written,
      columnWidths: widths,
      tableLook: {
        firstRow: table.attributes['headerRow'] === true,
        firstColumn: table.attributes['headerColumn'] === true,
        noHBand: true,
        noVBand: true,
      },
      ...(isWide && { width: { size: 100, type: WidthType.PERCENTAGE } }),
      margins: { top: 60, bottom: 60, left: 100, right: 100 },
    }),
    // Two tables that follow each other would be one.
    new Paragraph({ spacing: { after: 0, line: 120, lineRule: LineRuleType.AUTO } }),
  ]
}

function writeCell(cell: Block, place: DocxPlace, writer: DocxWriter): TableCell {
  const { align, header, rowspan, colspan } = cell.attributes
  const inner = { indent: 0, depth: 0, width: place.width }
  const alignment = alignments[align as keyof typeof alignments]
  const blocks = blocksAmong(cell.children).flatMap((block) =>
    block.name === 'paragraph'
      ? [
          writer.line(block, inner, {
            ...(alignment && { alignment }),
            ...(header === true && { style: HEAD_STYLE }),
          }),
        ]
      : writer.block(block, inner),
  )
  // Word needs a paragraph at the end of each cell.
  const ends = blocks.at(-1) instanceof Paragraph ? blocks : [...blocks, new Paragraph({})]
  return new TableCell({
    children: ends,
    columnSpan: spanOf(colspan),
    rowSpan: spanOf(rowspan),
    ...(header === true && { shading: { fill: 'F4F1ED' } }),
  })
}
