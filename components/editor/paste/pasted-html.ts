/**
 * Converts pasted HTML for the editor's parser: checklists and Word's lists become lists, and what other programs write for a callout, a
 * toggle, code, a highlight or an alignment becomes what the schema has for it. Counts what the text has no place for. The HTML is never
 * shown: the parser takes only what the schema knows.
 */
import { MAX_CELLS, MAX_COLUMNS } from '@/lib/blocks/table/table-columns.ts'
import { convertAlignment } from './pasted-alignment.ts'
import { convertCallouts, convertToggles } from './pasted-callouts.ts'
import { convertCode } from './pasted-code.ts'
import { convertHighlights } from './pasted-highlights.ts'
import type { PasteLosses } from './paste-losses.ts'

interface CleanedHtml {
  readonly html: string
  readonly lost: PasteLosses
}

/** In letters: an address may be long, and what is longer holds more than an address. */
const MAX_IMAGE_HTML_LENGTH = 10_000

/** Whether the HTML holds nothing but one image. */
export function isImageAlone(html: string): boolean {
  if (html === '' || html.length > MAX_IMAGE_HTML_LENGTH) return false
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  return body.textContent.trim() === '' && body.querySelectorAll('img').length === 1
}

/** @param takePicture Returns what stands for an image whose bytes are in the HTML; null for any other. */
export function cleanPastedHtml(
  html: string,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): CleanedHtml {
  // In no document's tree: a style sheet in one, even in one that is never shown, violates the page's security policy.
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  const before = body.innerHTML
  for (const element of body.querySelectorAll('style, title, meta, link, base')) element.remove()
  convertWordLists(body)
  convertTaskLists(body)
  convertHighlights(body)
  convertCallouts(body)
  convertToggles(body)
  convertCode(body)
  convertAlignment(body)
  const lost = { table: replaceTables(body), image: replaceImages(body, takePicture), ...removeMedia(body) }
  return { html: body.innerHTML === before ? html : body.innerHTML, lost }
}

/** Word writes each item as a paragraph, with its level in `mso-list:l0 level2 lfo1` and its bullet or number as text. */
function convertWordLists(body: HTMLElement): void {
  for (const paragraph of body.querySelectorAll<HTMLElement>('p')) {
    // Later items of the run are already in the list.
    if (paragraph.parentElement?.localName !== 'li' && wordListLevel(paragraph) !== null)
      convertWordList(paragraph)
  }
}

function wordListLevel(element: Element | null): number | null {
  if (element?.localName !== 'p') return null
  const level = /mso-list:\s*l\d+\s+level(\d+)/i.exec(element.getAttribute('style') ?? '')?.[1]
  return level === undefined ? null : Number(level)
}

interface OpenList {
  readonly level: number
  readonly list: HTMLElement
}

function convertWordList(first: HTMLElement): void {
  const openLists: OpenList[] = []
  const container = first.ownerDocument.createElement('div')
  first.before(container)
  for (let next: Element | null = first; next; next = container.nextElementSibling) {
    const level = wordListLevel(next)
    if (level === null) break
    addWordItem(openLists, container, next, level)
  }
  container.replaceWith(...container.childNodes)
}

function addWordItem(openLists: OpenList[], container: HTMLElement, paragraph: Element, level: number): void {
  const marker = removeWordMarker(paragraph)
  const number = /^\(?(?:\d+\.)*(\d+|[a-z]{1,4})[.)]*$/i.exec(marker)?.[1]
  // One of Word's bullets is the letter "o", which looks like a list number.
  const name = number !== undefined && marker !== number ? 'ol' : 'ul'
  while (openLists.length > 0 && openLists.at(-1)!.level > level) openLists.pop()
  if (openLists.at(-1)?.level === level && openLists.at(-1)!.list.localName !== name) openLists.pop()
  if (openLists.at(-1)?.level !== level) {
    const list = paragraph.ownerDocument.createElement(name)
    if (Number(number) > 1) list.setAttribute('start', number!)
    const parent = openLists.at(-1)?.list.lastElementChild ?? container
    parent.append(list)
    openLists.push({ level, list })
  }
  const item = paragraph.ownerDocument.createElement('li')
  item.append(paragraph)
  openLists.at(-1)!.list.append(item)
}

function removeWordMarker(paragraph: Element): string {
  const spans = [...paragraph.querySelectorAll('span')]
  const marker = spans.find((span) => /mso-list:\s*Ignore/i.test(span.getAttribute('style') ?? ''))
  marker?.remove()
  return marker?.textContent.trim() ?? ''
}

/** Converts the task items of other pages and programs into this editor's. Items without a box stay what they are. */
function convertTaskLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul:not([data-type=taskList]), ol')) {
    const states = new Map([...list.children].map((item) => [item, takeCheckbox(item)]))
    if ([...states.values()].some((checked) => checked !== null))
      list.replaceWith(...splitByTask(list, states))
  }
  for (const box of body.querySelectorAll('input[type=checkbox]'))
    if (!box.closest('[data-type=taskItem]')) box.replaceWith(isChecked(box) ? '☑ ' : '☐ ')
}

const isChecked = (box: Element): boolean => box.hasAttribute('checked')

/** Whether an item is done; null if it has no box. */
function takeCheckbox(item: Element): boolean | null {
  if (item.localName !== 'li') return null
  if (item.getAttribute('role') === 'checkbox') {
    // Google Docs draws the box as an image.
    item.querySelector('img')?.remove()
    return item.getAttribute('aria-checked') === 'true'
  }
  // Notion draws the box as an element.
  const drawn = item.querySelector(':scope > .checkbox')
  drawn?.remove()
  if (drawn) return drawn.classList.contains('checkbox-on')
  const input = item.querySelector('input[type=checkbox]')
  if (input?.closest('li') !== item) return takeCheckboxLetter(item)
  input.remove()
  return isChecked(input)
}

/** Reads a box that is a letter. */
function takeCheckboxLetter(item: Element): boolean | null {
  const letters = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT)
  let text = letters.nextNode()
  while (text && text.nodeValue?.trim() === '') text = letters.nextNode()
  const checkboxLetter = /^\s*([☐☑☒✅])\uFE0F?\s*/u.exec(text?.nodeValue ?? '')
  if (!text || !checkboxLetter) return null
  text.nodeValue = text.nodeValue!.slice(checkboxLetter[0].length)
  return checkboxLetter[1] !== '☐'
}

function splitByTask(list: Element, states: ReadonlyMap<Element, boolean | null>): Element[] {
  const lists: Element[] = []
  for (const [child, checked] of states) {
    const isTask = checked !== null
    const last = lists.at(-1)
    // A list directly within a list belongs to the item before it.
    if (child.localName !== 'li' && last?.lastElementChild) itemContentOf(last.lastElementChild).append(child)
    else if (last && isTaskList(last) === isTask) last.append(isTask ? createTaskItem(child, checked) : child)
    else lists.push(createList(list, isTask ? createTaskItem(child, checked) : child, isTask))
  }
  return lists
}

const isTaskList = (list: Element): boolean => list.getAttribute('data-type') === 'taskList'

const itemContentOf = (item: Element): Element =>
  item.getAttribute('data-type') === 'taskItem' ? item.firstElementChild! : item

function createList(list: Element, item: Element, isTask: boolean): Element {
  const created = isTask ? list.ownerDocument.createElement('ul') : (list.cloneNode(false) as Element)
  if (isTask) created.setAttribute('data-type', 'taskList')
  created.append(item)
  return created
}

function createTaskItem(item: Element, checked: boolean): Element {
  const [task, content] = ['li', 'div'].map((name) => item.ownerDocument.createElement(name)) as [
    HTMLElement,
    HTMLElement,
  ]
  task.setAttribute('data-type', 'taskItem')
  task.setAttribute('data-checked', String(checked))
  content.append(...item.childNodes)
  task.append(content)
  return task
}

/**
 * Tables stay, but for those used only for layout, whose cells are read one after the other, and for those that are too large: each row of
 * such a one becomes a paragraph. Returns how many of these there were.
 */
function replaceTables(body: HTMLElement): number {
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

/** Returns how many images were lost. */
function replaceImages(
  body: HTMLElement,
  takePicture: (image: HTMLImageElement) => HTMLElement | null,
): number {
  let count = 0
  for (const image of body.querySelectorAll<HTMLImageElement>('img')) {
    // A picture of this program.
    if (image.closest('figure[data-picture]')) continue
    const alt = image.getAttribute('alt') ?? ''
    // Many pages draw emoji as images, with the emoji as alternative text.
    const isEmoji =
      /^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u200D]*$/u.test(alt)
    const isTrackingPixel = ['width', 'height'].some((side) =>
      /^[01](?:px)?$/.test(image.getAttribute(side) ?? ''),
    )
    const taken = isEmoji || isTrackingPixel ? null : takePicture(image)
    if (!isEmoji && !isTrackingPixel && !taken) count++
    if (isEmoji) image.replaceWith(alt)
    else if (taken) image.replaceWith(taken)
    else removeWithEmptyBlocks(image, body)
  }
  return count
}

function removeMedia(body: HTMLElement): PasteLosses {
  const removeAll = (selector: string): number => {
    const found = body.querySelectorAll(selector)
    for (const element of found) removeWithEmptyBlocks(element, body)
    return found.length
  }
  return { video: removeAll('video'), recording: removeAll('audio'), page: removeAll('iframe') }
}

/** Removes an element and what held nothing else, so that no empty paragraph is left in its place. */
function removeWithEmptyBlocks(element: Element, body: HTMLElement): void {
  const parent = element.parentElement
  element.remove()
  if (parent && parent !== body && parent.textContent.trim() === '' && !parent.querySelector(keptWithoutText))
    removeWithEmptyBlocks(parent, body)
}

const keptWithoutText = 'img, video, audio, iframe, hr, input'
