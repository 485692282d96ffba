/**
 * The letters of a text without its dress: for counting, finding and comparing. One text block (a paragraph, a heading, a code block)
 * is one string, in which each index leads back to its place in the shared text.
 */
import type * as Y from 'yjs'
import { type Block, isTextNode, type TreeNode } from './tree.ts'

const textBlockNames = new Set(['paragraph', 'heading', 'codeBlock'])

/** Whether a block holds letters rather than blocks. A newer page may have written blocks of other names. */
export const isTextBlock = ({ name, children }: Block): boolean =>
  textBlockNames.has(name) ||
  (children.some(isTextNode) && children.every((part) => isTextNode(part) || part.children.length === 0))

/** All text blocks within some blocks, in the order of reading. */
export function textBlocksOf(parts: readonly TreeNode[]): Block[] {
  return parts.flatMap((part) => {
    if (isTextNode(part)) return []
    return isTextBlock(part) ? [part] : textBlocksOf(part.children)
  })
}

const cachedTexts = new WeakMap<Block, string>()

/** Of a text block its letters, a line break as `\n`; of others their text blocks, a line each. */
export function blockTextOf(block: Block): string {
  const cached = cachedTexts.get(block)
  if (cached !== undefined) return cached
  const text = isTextBlock(block) ? block.children.map(textOfNode).join('') : blocksTextOf(block.children)
  cachedTexts.set(block, text)
  return text
}

/** A line for each text block. */
export const blocksTextOf = (parts: readonly TreeNode[]): string =>
  textBlocksOf(parts).map(blockTextOf).join('\n')

/** What a part of a text block adds to it: within one an element is a line break, whatever it calls itself. */
const textOfNode = (part: TreeNode): string =>
  isTextNode(part) ? part.runs.map(({ text }) => text).join('') : '\n'

/** A place between two letters, as Yjs counts them (UTF-16 units). */
export interface TextNodePosition {
  readonly type: Y.XmlText
  readonly index: number
}

/**
 * Where `offset` letters of `plainOf(block)` end in the shared text; null where there is no text node. Where two places are as good
 * (one text node ends, the next begins), the one before the letter that follows, or with `end` the one after the letter before.
 */
export function textNodePositionAt(
  block: Block,
  offset: number,
  side: 'start' | 'end' = 'start',
): TextNodePosition | null {
  let from = 0
  let found: TextNodePosition | null = null
  for (const part of block.children) {
    const { length } = textOfNode(part)
    const isWithin = offset >= from && offset <= from + length
    if (isTextNode(part) && isWithin && (found === null || side === 'start'))
      found = { type: part.type, index: offset - from }
    from += length
  }
  return found
}
