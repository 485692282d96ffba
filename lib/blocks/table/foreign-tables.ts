import { captionOf, cellsOf, rowsOf, spanOfCell } from './html-table-parts.ts'
import { MAX_CELLS, MAX_COLUMNS } from './table-columns.ts'

/**
 * Tables stay, but for those used only for layout, whose cells are read one after the other, and for those that are too large: each row of
 * such a one becomes a paragraph. Returns how many of these there were.
 */
export function replaceTables(body: HTMLElement): number {
  let count = 0
  const tables = [...body.querySelectorAll('table')]
  const layouts = new Set(tables.filter(isLayoutTable))
  for (const table of tables.toReversed()) {
    if (layouts.has(table)) table.replaceWith(...cellBlocks(table))
    else if (isTooLarge(table)) {
      count++
      table.replaceWith(...rowBlocks(table))
    } else {
      fillMerged(table)
      const caption = captionOf(table)
      if (caption) table.before(createBlock('p', [...caption.childNodes], table))
    }
    captionOf(table)?.remove()
  }
  return count
}

/** A merged cell of HTML leaves out those that it covers; here they are empty ones, as many as a table may have. */
function fillMerged(table: Element): void {
  const rows = rowsOf(table)
  const merged = rows.flatMap((row, index) =>
    cellsOf(row).flatMap((cell) => {
      const [colSpan, rowSpan] = [spanOfCell(cell, 'colspan'), spanOfCell(cell, 'rowspan')]
      return colSpan > 1 || rowSpan > 1 ? [{ cell, index, colSpan, rowSpan }] : []
    }),
  )
  let left = MAX_CELLS
  for (const { cell, index, colSpan, rowSpan } of merged) {
    const [columns, column] = [Math.min(colSpan, MAX_COLUMNS), cellsOf(rows[index]!).indexOf(cell)]
    const covered = rows.slice(index, index + rowSpan)
    left -= columns * covered.length
    if (left < 0) return
    for (const [below, row] of covered.entries()) {
      const next = cellsOf(row)[column + (below === 0 ? 1 : 0)] ?? null
      for (let count = below === 0 ? 1 : 0; count < columns; count++)
        row.insertBefore(table.ownerDocument.createElement('td'), next)
    }
  }
}

const isLayoutTable = (table: Element): boolean =>
  /^(?:none|presentation)$/.test(table.getAttribute('role') ?? '') ||
  table.querySelector('table') !== null ||
  (table.querySelectorAll('td, th').length <= 1 && table.closest('.table-scroll') === null)

function isTooLarge(table: Element): boolean {
  const rows = rowsOf(table)
  const columns = rows.reduce((most, row) => Math.max(most, cellsOf(row).length), 0)
  return columns > MAX_COLUMNS || columns * rows.length > MAX_CELLS
}

const cellBlocks = (table: Element): Element[] =>
  [...table.querySelectorAll('caption, td, th')].map((cell) =>
    createBlock('div', [...cell.childNodes], table),
  )

/** Makes a paragraph of each row, with a bar between its cells. */
function rowBlocks(table: Element): Element[] {
  const ownCaption = captionOf(table)
  const caption = ownCaption ? [createBlock('p', inlineNodesOf(ownCaption), table)] : []
  const rows = rowsOf(table).filter((row) => row.textContent.trim() !== '' || row.querySelector('img'))
  const paragraphs = rows.map((row) => {
    const cells = cellsOf(row).map(inlineNodesOf)
    return createBlock(
      'p',
      cells.flatMap((cell, at) => (at === 0 ? cell : [' | ', ...cell])),
      table,
    )
  })
  return [...caption, ...paragraphs]
}

function createBlock(name: string, content: readonly (Node | string)[], { ownerDocument }: Element): Element {
  const block = ownerDocument.createElement(name)
  block.append(...content)
  return block
}

/** The inline content of a cell: blocks within it follow each other on one line. */
function inlineNodesOf(cell: Element): Node[] {
  for (const block of cell.querySelectorAll(
    'br, p, div, ul, ol, li, pre, blockquote, h1, h2, h3, h4, h5, h6',
  ))
    block.replaceWith(...block.childNodes, ' ')
  return [...cell.childNodes]
}
