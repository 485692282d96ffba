/**
 * The letters of a text without formatting: for counting, finding and comparing. One text block (a paragraph, a heading, a code block) is
 * one string, and each index leads back to its position in the shared text.
 */
import type * as Y from 'yjs'
import { definitionOf, holdsLetters } from '../blocks/blocks.ts'
import { type Block, isTextNode, type TreeNode } from './tree.ts'

/** Whether a block holds letters rather than blocks. A newer page may have written blocks of other names. */
export const isTextBlock = ({ name, children }: Block): boolean =>
  holdsLetters(name) ||
  (children.some(isTextNode) && children.every((node) => isTextNode(node) || node.children.length === 0))

/** All text blocks within some blocks, in the order of reading. */
export function textBlocksOf(nodes: readonly TreeNode[]): Block[] {
  return nodes.flatMap((node) => {
    if (isTextNode(node)) return []
    return isTextBlock(node) ? [node] : textBlocksOf(node.children)
  })
}

const cachedTexts = new WeakMap<Block, string>()

/** The letters of a text block, a line break as `\n`; for other blocks their text blocks, one line each. */
export function blockTextOf(block: Block): string {
  const cached = cachedTexts.get(block)
  if (cached !== undefined) return cached
  const text = isTextBlock(block) ? block.children.map(textOfNode).join('') : blocksTextOf(block.children)
  cachedTexts.set(block, text)
  return text
}

/** One line for each text block. */
export const blocksTextOf = (nodes: readonly TreeNode[]): string =>
  textBlocksOf(nodes).map(blockTextOf).join('\n')

/** The text of a node within a text block. An element there that no definition knows is a line break. */
export const textOfNode = (node: TreeNode): string =>
  isTextNode(node) ? node.runs.map(({ text }) => text).join('') : (definitionOf(node.name)?.text ?? '\n')

/** As `textOfNode`, with what such an element stands for. */
export const shownTextOf = (node: Block): string =>
  definitionOf(node.name)?.letters?.(node.attributes) ?? textOfNode(node)

/** A position between two letters, as Yjs counts them (UTF-16 units). */
export interface TextNodePosition {
  readonly type: Y.XmlText
  readonly index: number
}

/**
 * The position in the shared text after `offset` letters of `blockTextOf(block)`; null where there is no text node. Where one text node
 * ends and the next begins, it is the one before the following letter, or with `end` the one after the preceding letter.
 */
export function textNodePositionAt(
  block: Block,
  offset: number,
  side: 'start' | 'end' = 'start',
): TextNodePosition | null {
  let from = 0
  let found: TextNodePosition | null = null
  for (const node of block.children) {
    const { length } = textOfNode(node)
    const isWithin = offset >= from && offset <= from + length
    if (isTextNode(node) && isWithin && (found === null || side === 'start'))
      found = { type: node.type, index: offset - from }
    from += length
  }
  return found
}
