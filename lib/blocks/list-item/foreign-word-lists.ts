/** Word writes each item as a paragraph, with its level in `mso-list:l0 level2 lfo1` and its bullet or number as text. */
export function convertWordLists(body: HTMLElement): void {
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
