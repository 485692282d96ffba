/** The headings of a text, and which of its top blocks belong to each. */
import * as Y from 'yjs'
import { toBase64 } from '../protocol/base64.ts'
import { levelOf } from './attributes.ts'
import { plainOf } from './plain.ts'
import { type Block, isText, type Part } from './tree.ts'

export interface Heading {
  readonly block: Block
  /** 1 to 6. */
  readonly level: number
  readonly text: string
  /** A relative position at its beginning, in base64, the same for as long as the heading lives. */
  readonly anchor: string
  /** Its place among the top blocks; null within another block, where it heads no section of its own. */
  readonly index: number | null
}

/** In the order of reading. */
export function headingsOf(blocks: readonly Block[]): Heading[] {
  const headings: Heading[] = []
  for (const [index, block] of blocks.entries()) collect(block, index, headings)
  return headings
}

function collect(part: Part, index: number | null, headings: Heading[]): void {
  if (isText(part)) return
  if (part.name === 'heading') headings.push(headingOf(part, index))
  else for (const child of part.children) collect(child, null, headings)
}

const known = new WeakMap<Block, Heading>()

/** The same object for as long as nothing in it changes. */
function headingOf(block: Block, index: number | null): Heading {
  const before = known.get(block)
  if (before?.index === index) return before
  const text = plainOf(block).replaceAll('\n', ' ').trim()
  const heading = { block, level: levelOf(block), text, anchor: anchorOf(block.type), index }
  known.set(block, heading)
  return heading
}

const anchors = new WeakMap<Y.XmlElement, string>()

function anchorOf(type: Y.XmlElement): string {
  const known = anchors.get(type)
  if (known !== undefined) return known
  // With -1 it sticks to the beginning of the type itself, and not to a letter that may go.
  const position = Y.createRelativePositionFromTypeIndex(type, 0, -1)
  const anchor = toBase64(Y.encodeRelativePosition(position))
  anchors.set(type, anchor)
  return anchor
}

/** What stands under a heading: from its own block up to the next top one of its level or a higher one, which is not part of it. */
export interface Section {
  readonly from: number
  readonly to: number
}

/** The section that the top block at `index` heads; of any other block that block alone. */
export function sectionAt(blocks: readonly Block[], index: number): Section {
  const head = blocks[index]
  if (head?.name !== 'heading') return { from: index, to: index + 1 }
  const level = levelOf(head)
  let to = index + 1
  while (to < blocks.length && !endsSection(blocks[to]!, level)) to += 1
  return { from: index, to }
}

const endsSection = (block: Block, level: number): boolean =>
  block.name === 'heading' && levelOf(block) <= level

/** A heading and those that stand under it, however many levels are left out between them. */
export interface Branch {
  readonly heading: Heading
  readonly children: readonly Branch[]
}

export function branchesOf(headings: readonly Heading[]): Branch[] {
  const roots: GrowingBranch[] = []
  const path: GrowingBranch[] = []
  for (const heading of headings) {
    while (path.length > 0 && path.at(-1)!.heading.level >= heading.level) path.pop()
    const branch: GrowingBranch = { heading, children: [] }
    const siblings = path.at(-1)?.children ?? roots
    siblings.push(branch)
    path.push(branch)
  }
  return roots
}

interface GrowingBranch extends Branch {
  readonly children: GrowingBranch[]
}
