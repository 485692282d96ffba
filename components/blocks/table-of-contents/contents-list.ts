/**
 * The headings of a document as nested lists of links, drawn again when they change. What a click on a link does is the page's to know
 * (link-navigation.ts). Plain DOM, for the editor and for reading views.
 */
import type * as Y from 'yjs'
import { type Heading, headingsOf, outlineOf, type OutlineNode } from '@/lib/text/headings.ts'
import { positionHashOf } from '@/lib/following/position-link.ts'
import { treeOf, watchTree } from '@/lib/text/tree.ts'
import { blockItemsStrings } from '@/lib/strings/block-items.ts'
import { tableOfContentsStrings } from '@/lib/strings/table-of-contents.ts'

/** More are counted, and not drawn. */
const MAX_HEADINGS = 500

/** So many tables of contents of one text are drawn: a text may hold thousands of them, and thousands of headings. */
const MAX_LISTS = 10

const shownLists = new WeakMap<Y.XmlFragment, number>()

/** Fills `nav` with the headings of the text. Returns a function that stops it. */
export function showContents(nav: HTMLElement, text: Y.XmlFragment): () => void {
  nav.ariaLabel = blockItemsStrings.tableOfContents.name
  const shown = shownLists.get(text) ?? 0
  if (shown >= MAX_LISTS) {
    nav.dataset.label = tableOfContentsStrings.tooMany
    return () => {}
  }
  shownLists.set(text, shown + 1)
  let drawn: readonly Heading[] | null = null
  const draw = () => {
    const headings = headingsOf(treeOf(text))
    if (drawn && areSame(headings, drawn)) return
    drawn = headings
    drawContents(nav, headings)
  }
  draw()
  const stop = watchTree(text, draw)
  return () => {
    stop()
    shownLists.set(text, shownLists.get(text)! - 1)
  }
}

const areSame = (a: readonly Heading[], b: readonly Heading[]): boolean =>
  a.length === b.length && a.every((heading, at) => heading === b[at])

function drawContents(nav: HTMLElement, headings: readonly Heading[]): void {
  const left = headings.length - MAX_HEADINGS
  nav.dataset.label =
    headings.length === 0 ? tableOfContentsStrings.empty : left > 0 ? tableOfContentsStrings.more(left) : ''
  const focused = [...nav.querySelectorAll('a')].indexOf(document.activeElement as HTMLAnchorElement)
  nav.replaceChildren(...listOf(outlineOf(headings.slice(0, MAX_HEADINGS))))
  nav.querySelectorAll('a')[focused]?.focus()
}

function listOf(nodes: readonly OutlineNode[]): HTMLElement[] {
  if (nodes.length === 0) return []
  const list = document.createElement('ol')
  for (const { heading, children } of nodes) {
    const item = document.createElement('li')
    item.append(linkTo(heading), ...listOf(children))
    list.append(item)
  }
  return [list]
}

function linkTo({ anchor, text }: Heading): HTMLAnchorElement {
  const link = document.createElement('a')
  link.href = positionHashOf({ at: anchor }, text)
  link.dir = 'auto'
  link.textContent = text || tableOfContentsStrings.untitled
  return link
}
