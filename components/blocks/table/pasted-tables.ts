import { MAX_CELLS, MAX_COLUMNS } from '@/lib/blocks/table/table-columns.ts'

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
      if (table.caption) table.before(createBlock('p', [...table.caption.childNodes], table))
    }
    table.caption?.remove()
  }
  return count
}

/** A merged cell of HTML leaves out those that it covers; here they are empty ones, as many as a table may have. */
function fillMerged(table: HTMLTableElement): void {
  const rows = [...table.rows]
  const merged = rows.flatMap((row, index) =>
    Array.from(row.cells, (cell) => ({ cell, index })).filter(
      ({ cell: { colSpan, rowSpan } }) => colSpan > 1 || rowSpan > 1,
    ),
  )
  let left = MAX_CELLS
  for (const { cell, index } of merged) {
    const [columns, column] = [Math.min(cell.colSpan, MAX_COLUMNS), cell.cellIndex]
    const covered = rows.slice(index, index + cell.rowSpan)
    left -= columns * covered.length
    if (left < 0) return
    for (const [below, row] of covered.entries()) {
      const next = row.cells[column + (below === 0 ? 1 : 0)] ?? null
      for (let count = below === 0 ? 1 : 0; count < columns; count++)
        row.insertBefore(table.ownerDocument.createElement('td'), next)
    }
  }
}

const isLayoutTable = (table: HTMLTableElement): boolean =>
  /^(?:none|presentation)$/.test(table.getAttribute('role') ?? '') ||
  table.querySelector('table') !== null ||
  (table.querySelectorAll('td, th').length <= 1 && table.closest('.table-scroll') === null)

function isTooLarge({ rows }: HTMLTableElement): boolean {
  const columns = Math.max(0, ...Array.from(rows, ({ cells }) => cells.length))
  return columns > MAX_COLUMNS || columns * rows.length > MAX_CELLS
}

const cellBlocks = (table: HTMLTableElement): Element[] =>
  [...table.querySelectorAll('caption, td, th')].map((cell) =>
    createBlock('div', [...cell.childNodes], table),
  )

/** Makes a paragraph of each row, with a bar between its cells. */
function rowBlocks(table: HTMLTableElement): Element[] {
  const caption = table.caption ? [createBlock('p', inlineNodesOf(table.caption), table)] : []
  const rows = [...table.rows].filter((row) => row.textContent.trim() !== '' || row.querySelector('img'))
  const paragraphs = rows.map((row) => {
    const cells = [...row.cells].map(inlineNodesOf)
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
