/** Finds where letters are on screen. Knows the DOM; does not know who made it. */

export interface DomPoint {
  readonly node: Node
  readonly offset: number
}

/** How many px of a line another element may cover before the line counts as hidden. */
const MAX_COVERED_PX = 4

/** The first letter, or block without letters, that reaches below `y`: the beginning of a line. Null if everything is above. */
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

/** The first block from that child on. Few children of a block that holds blocks are anything else, so the search is short. */
function blockFrom(children: HTMLCollection, from: number): Element | undefined {
  for (let at = from; at < children.length; at++) if (isBlock(children[at]!)) return children[at]
  return undefined
}

/** A checkbox or another person's caret is no text, and so no block. */
const isBlock = (child: Element): boolean =>
  child.getAttribute('contenteditable') !== 'false' && !getComputedStyle(child).display.startsWith('inline')

/** The first of `count` things whose end is below `y`; they are in order. */
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
  /** How many letters of the block come before. */
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

/** @param texts Must not be empty. */
export function pointAt(texts: readonly TextRun[], letters: number): DomPoint {
  const text = texts.findLast(({ from }) => from <= letters) ?? texts[0]!
  return { node: text.node, offset: Math.min(letters - text.from, text.node.length) }
}

/**
 * Draws at once what would otherwise be drawn when it comes on screen. Until then a chunk has an estimated height, and its letters have the
 * positions they would have in the whole, beyond its end, where other chunks are.
 */
export function renderAround(node: Node, root: Element): void {
  for (let at = node.parentElement; at && at !== root; at = at.parentElement) {
    if (getComputedStyle(at).contentVisibility !== 'auto') continue
    const { style } = at
    style.contentVisibility = 'visible'
    // After two frames the browser itself knows that it is visible.
    requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('content-visibility')))
  }
}

/** The rectangle of the letter after a point, or of the block if there is no letter. */
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
