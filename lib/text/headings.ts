/** The headings of a text, and which of its top blocks belong to each. */
import * as Y from 'yjs'
import { toBase64 } from '../protocol/base64.ts'
import { headingLevelOf } from '../blocks/blocks.ts'
import { blockTextOf } from './plain-text.ts'
import { type Block, isTextNode, type TreeNode } from './tree.ts'

export interface Heading {
  readonly block: Block
  /** From 1 to 6. */
  readonly level: number
  readonly text: string
  /** A relative position at the heading's beginning, in base64, the same for as long as the heading lives. */
  readonly anchor: string
  /** The index among the top blocks; null within another block, where it heads no section of its own. */
  readonly index: number | null
}

/** The headings in the order of reading. */
export function headingsOf(blocks: readonly Block[]): Heading[] {
  const headings: Heading[] = []
  for (const [index, block] of blocks.entries()) collectHeadings(block, index, headings)
  return headings
}

function collectHeadings(node: TreeNode, index: number | null, headings: Heading[]): void {
  if (isTextNode(node)) return
  const level = headingLevelOf(node.name, node.attributes)
  if (level !== null) headings.push(headingOf(node, level, index))
  else for (const child of node.children) collectHeadings(child, null, headings)
}

const cachedHeadings = new WeakMap<Block, Heading>()

/** Returns the same object for as long as nothing in it changes. */
function headingOf(block: Block, level: number, index: number | null): Heading {
  const cached = cachedHeadings.get(block)
  if (cached?.index === index) return cached
  const text = blockTextOf(block).replaceAll('\n', ' ').trim()
  const heading = {
    block,
    level,
    text,
    anchor: headingAnchorOf(block.type),
    index,
  }
  cachedHeadings.set(block, heading)
  return heading
}

const anchors = new WeakMap<Y.XmlElement, string>()

function headingAnchorOf(type: Y.XmlElement): string {
  const cached = anchors.get(type)
  if (cached !== undefined) return cached
  // With -1 it sticks to the beginning of the type itself, and not to a letter that may be deleted.
  const position = Y.createRelativePositionFromTypeIndex(type, 0, -1)
  const anchor = toBase64(Y.encodeRelativePosition(position))
  anchors.set(type, anchor)
  return anchor
}

/** A heading's section: from its own block up to the next top heading of its level or a higher one, which is not part of it. */
export interface SectionRange {
  readonly from: number
  readonly to: number
}

/** The section that the top block at `index` heads; for any other block, that block alone. */
export function sectionAt(blocks: readonly Block[], index: number): SectionRange {
  const head = blocks[index]
  const level = head ? levelOf(head) : Infinity
  if (level === Infinity) return { from: index, to: index + 1 }
  let to = index + 1
  while (to < blocks.length && levelOf(blocks[to]!) > level) to += 1
  return { from: index, to }
}

/** A block that is no heading counts as lower than all. */
export const levelOf = ({ name, attributes }: Block): number => headingLevelOf(name, attributes) ?? Infinity

/** A heading and those that stand under it, however many levels are left out between them. */
export interface OutlineNode {
  readonly heading: Heading
  readonly children: readonly OutlineNode[]
}

export function outlineOf(headings: readonly Heading[]): OutlineNode[] {
  const roots: MutableOutlineNode[] = []
  const path: MutableOutlineNode[] = []
  for (const heading of headings) {
    while (path.length > 0 && path.at(-1)!.heading.level >= heading.level) path.pop()
    const branch: MutableOutlineNode = { heading, children: [] }
    const siblings = path.at(-1)?.children ?? roots
    siblings.push(branch)
    path.push(branch)
  }
  return roots
}

interface MutableOutlineNode extends OutlineNode {
  readonly children: MutableOutlineNode[]
}
