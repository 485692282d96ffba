/** Where letters stand on screen. Knows the DOM; does not know who made it. */

export interface DomPoint {
  readonly node: Node
  readonly offset: number
}

/** What another element covers of a line, in px, before the line counts as gone. */
const MAX_COVERED_PX = 4

/** The first letter, or block without letters, that reaches below `y`: the beginning of a line. Null where all is above. */
export function pointBelow(root: Element, y: number): DomPoint | null {
  const { children } = root
  if (!blockFrom(children, 0)) return letterBelow(root, y)
  const endOf = (at: number) => blockFrom(children, at)?.getBoundingClientRect().bottom ?? Infinity
  for (let at = firstBelow(children.length, endOf, y); at < children.length; at++) {
    const child = children[at]!
    const point = isBlock(child) ? pointBelow(child, y) : null
    if (point) return point
  }
  return null
}

/** The first block from that child on. Few children of a block with blocks are none, so few are looked at. */
function blockFrom(children: HTMLCollection, from: number): Element | undefined {
  for (let at = from; at < children.length; at++) if (isBlock(children[at]!)) return children[at]
  return undefined
}

/** What is no text (a checkbox, another person's caret) is none. */
const isBlock = (child: Element): boolean =>
  child.getAttribute('contenteditable') !== 'false' && !getComputedStyle(child).display.startsWith('inline')

/** The first of `count` things whose end lies below `y`: they stand in order. */
function firstBelow(count: number, endOf: (n: number) => number, y: number): number {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (endOf(middle) > y + MAX_COVERED_PX) to = middle
    else from = middle + 1
  }
  return from
}

function letterBelow(block: Element, y: number): DomPoint | null {
  const { bottom } = block.getBoundingClientRect()
  if (bottom <= y + MAX_COVERED_PX) return null
  const texts = textsIn(block)
  const last = texts.at(-1)
  if (!last) return { node: block, offset: 0 }
  const length = last.from + last.node.length
  const at = firstBelow(length, (n) => rectOf(pointAt(texts, n)).bottom, y)
  return pointAt(texts, Math.min(at, Math.max(0, length - 1)))
}

interface TextRun {
  readonly node: Text
  /** How many letters of the block stand before. */
  readonly from: number
}

/** The text of a block, without the names on other people's carets. */
export function textsIn(block: Node): TextRun[] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.classList.contains('ProseMirror-widget')
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  )
  const texts: TextRun[] = []
  let from = 0
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.length === 0) continue
    texts.push({ node, from })
    from += node.length
  }
  return texts
}

/** @param texts Not empty. */
export function pointAt(texts: readonly TextRun[], letters: number): DomPoint {
  const text = texts.findLast(({ from }) => from <= letters) ?? texts[0]!
  return { node: text.node, offset: Math.min(letters - text.from, text.node.length) }
}

/**
 * Draws now what would be drawn once it is on screen. Until then a part has the height of a guess and its letters the places they would
 * have in the whole: beyond its end, where other parts are.
 */
export function renderAround(node: Node, root: Element): void {
  for (let at = node.parentElement; at && at !== root; at = at.parentElement) {
    if (getComputedStyle(at).contentVisibility !== 'auto') continue
    const { style } = at
    style.contentVisibility = 'visible'
    // Two frames on the browser knows by itself that it is seen.
    requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('content-visibility')))
  }
}

/** Of the letter behind a point, or of the block where there is none. */
export function rectOf({ node, offset }: DomPoint): DOMRect {
  const range = document.createRange()
  if (node instanceof Text && node.length > 0) {
    const at = Math.min(offset, node.length - 1)
    range.setStart(node, at)
    range.setEnd(node, at + 1)
    const rect = range.getClientRects()[0]
    if (rect) return rect
  }
  const element = node instanceof Element ? node : node.parentElement
  return (element?.children[offset] ?? element ?? document.body).getBoundingClientRect()
}
