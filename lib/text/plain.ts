/**
 * The letters of a text without its dress: for counting, finding and comparing. One text block (a paragraph, a heading, a code block)
 * is one string, in which each index leads back to its place in the shared text.
 */
import type * as Y from 'yjs'
import { type Block, isText, type Part } from './tree.ts'

const names = new Set(['paragraph', 'heading', 'codeBlock'])

/** Whether a block holds letters rather than blocks. A newer page may have written blocks of other names. */
export const isTextBlock = ({ name, children }: Block): boolean =>
  names.has(name) ||
  (children.some(isText) && children.every((part) => isText(part) || part.children.length === 0))

/** All text blocks within some blocks, in the order of reading. */
export function textBlocksOf(parts: readonly Part[]): Block[] {
  return parts.flatMap((part) => {
    if (isText(part)) return []
    return isTextBlock(part) ? [part] : textBlocksOf(part.children)
  })
}

const texts = new WeakMap<Block, string>()

/** Of a text block its letters, a line break as `\n`; of others their text blocks, a line each. */
export function plainOf(block: Block): string {
  const known = texts.get(block)
  if (known !== undefined) return known
  const text = isTextBlock(block) ? block.children.map(lettersOf).join('') : plainText(block.children)
  texts.set(block, text)
  return text
}

/** A line for each text block. */
export const plainText = (parts: readonly Part[]): string => textBlocksOf(parts).map(plainOf).join('\n')

/** What a part of a text block adds to it: within one an element is a line break, whatever it calls itself. */
const lettersOf = (part: Part): string => (isText(part) ? part.runs.map(({ text }) => text).join('') : '\n')

/** A place between two letters, as Yjs counts them (UTF-16 units). */
export interface TextPlace {
  readonly type: Y.XmlText
  readonly index: number
}

/**
 * Where `offset` letters of `plainOf(block)` end in the shared text; null where there is no text node. Where two places are as good
 * (one text node ends, the next begins), the one before the letter that follows, or with `end` the one after the letter before.
 */
export function placeAt(block: Block, offset: number, side: 'start' | 'end' = 'start'): TextPlace | null {
  let from = 0
  let found: TextPlace | null = null
  for (const part of block.children) {
    const { length } = lettersOf(part)
    const within = offset >= from && offset <= from + length
    if (isText(part) && within && (found === null || side === 'start'))
      found = { type: part.type, index: offset - from }
    from += length
  }
  return found
}
