/** Says in HTML what mammoth leaves to a style sheet, or leaves out. */
import { parseHTML } from 'linkedom'
import { cellsOf, rowsOf } from '../blocks/table/html-table-parts.ts'

export const wordHighlights = ['yellow', 'green', 'cyan', 'magenta'] as const

const highlightColors: Readonly<Record<(typeof wordHighlights)[number], string>> = {
  yellow: 'yellow',
  green: 'green',
  cyan: 'blue',
  magenta: 'pink',
}

const alignments = ['center', 'end', 'justify'] as const

/** @param main The main part of the DOCX. */
export function tidyWordHtml(html: string, main: string): string {
  const body = parseHTML('<!doctype html><html><body></body></html>').document.createElement('div')
  body.innerHTML = html
  for (const align of alignments)
    for (const line of body.querySelectorAll(`:is(p, h1, h2, h3, h4, h5, h6).${align}`))
      line.setAttribute('data-align', align)
  for (const color of wordHighlights)
    for (const mark of body.querySelectorAll(`mark.${color}`))
      mark.setAttribute('data-color', highlightColors[color])
  makeFormulas(body)
  unwrap(body.querySelectorAll('th strong'))
  for (const back of body.querySelectorAll('a[href^="#footnote-ref-"], a[href^="#endnote-ref-"]'))
    back.remove()
  unwrap(body.querySelectorAll('a[href^="#footnote-"], a[href^="#endnote-"]'))
  for (const line of body.querySelectorAll('table + p')) if (isEmpty(line)) line.remove()
  makeFigures(body)
  makeTasks(body)
  readGrids(body, main)
  const [first] = body.querySelectorAll('h1.title')
  // A heading that a page begins with is its title, and others stay headings.
  if (first) body.prepend(first)
  return body.innerHTML
}

/** One that stands alone in its line is a block. */
function makeFormulas(body: HTMLElement): void {
  for (const formula of body.querySelectorAll('span.formula')) {
    const line = formula.parentElement!
    const isAlone = line.localName === 'p' && line.childNodes.length === 1
    const box = isAlone ? formula.ownerDocument.createElement('div') : formula
    box.setAttribute('data-math', isAlone ? 'block' : 'inline')
    if (!isAlone) continue
    box.textContent = formula.textContent
    line.replaceWith(box)
  }
}

function unwrap(elements: Iterable<Element>): void {
  for (const element of elements) element.replaceWith(...element.childNodes)
}

const isEmpty = (line: Element): boolean => line.childNodes.length === 0

/** A caption belongs to the picture above it. */
function makeFigures(body: HTMLElement): void {
  for (const caption of body.querySelectorAll('p.caption')) {
    const shown = caption.previousElementSibling
    const image = shown?.querySelector('img')
    if (!shown || !image || shown.children.length !== 1 || shown.textContent.trim() !== '') continue
    const [figure, words] = [
      caption.ownerDocument.createElement('figure'),
      caption.ownerDocument.createElement('figcaption'),
    ]
    words.append(...caption.childNodes)
    const align = shown.getAttribute('data-align')
    if (align) figure.setAttribute('data-align', align)
    figure.append(image, words)
    shown.remove()
    caption.replaceWith(figure)
  }
}

/** Lines that begin with a box follow each other as one list. */
function makeTasks(body: HTMLElement): void {
  for (const box of body.querySelectorAll('p > input[type=checkbox]')) {
    const line = box.parentElement!
    if (box.previousSibling) continue
    const before = line.previousElementSibling
    const list = before?.classList.contains('tasks') ? before : line.ownerDocument.createElement('ul')
    const item = line.ownerDocument.createElement('li')
    if (list !== before) {
      list.classList.add('tasks')
      line.before(list)
    }
    list.append(item)
    const space = box.nextSibling
    if (space?.nodeType === 3) space.nodeValue = space.nodeValue!.replace(/^ /, '')
    item.append(box, line)
  }
}

/** Widths of columns are in twentieths of a point in Word. Equal ones are how Word shares out what nobody has set. */
function readGrids(body: HTMLElement, main: string): void {
  const grids = main
    .split('<w:tblGrid>')
    .slice(1)
    .map((grid) =>
      [
        ...grid
          .slice(0, Math.max(0, grid.indexOf('</w:tblGrid>')))
          .matchAll(/<w:gridCol\s[^<>]*?w:w="(\d{1,5})"/g),
      ].map(([, width]) => Math.round(Number(width) / 15)),
    )
  const tables = [...body.querySelectorAll('table')]
  for (const [at, table] of tables.entries()) {
    alignColumns(table)
    const widths = grids[at] ?? []
    if (tables.length !== grids.length || new Set(widths).size < 2) continue
    const group = table.ownerDocument.createElement('colgroup')
    for (const width of widths) {
      const column = table.ownerDocument.createElement('col')
      column.setAttribute('width', String(width))
      group.append(column)
    }
    table.prepend(group)
  }
}

/** Word aligns each line of a cell; where all of a column are alike, the column is. */
function alignColumns(table: Element): void {
  const rows = rowsOf(table).map(cellsOf)
  if (rows.some((row) => row.length !== rows[0]!.length)) return
  for (const column of rows[0]?.keys() ?? []) {
    const cells = rows.map((row) => row[column]!)
    const found = new Set(
      cells.flatMap((cell) => [...cell.children].map((line) => line.getAttribute('data-align'))),
    )
    const [align] = found
    if (found.size !== 1 || (align !== 'center' && align !== 'end')) continue
    for (const cell of cells) {
      cell.setAttribute('data-align', align)
      for (const line of cell.children) line.removeAttribute('data-align')
    }
  }
}
