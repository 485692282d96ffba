/** A text as a list of lines, one for each text block. It is what is searched, and it gives comments and matches their order. */
import { encodePositionAt } from '../following/text-position.ts'
import { textNodePositionAt, blockTextOf, textBlocksOf, type TextNodePosition } from './plain-text.ts'
import { type Block, isTextNode } from './tree.ts'

export interface LinePosition {
  readonly line: number
  /** In UTF-16 units of the line's text. */
  readonly offset: number
}

/** `from` is before `to`. */
export interface LineRange {
  readonly from: LinePosition
  readonly to: LinePosition
}

export interface TextLines {
  readonly blocks: readonly Block[]
  readonly texts: readonly string[]
  /** Returns null for a position that is not in the text any more. */
  linePositionOf(position: TextNodePosition): LinePosition | null
  /**
   * Returns null in a line without a text node. Between two nodes it returns the beginning of the later one or the end of the earlier
   * one.
   */
  textNodePositionAt(position: LinePosition, side?: 'start' | 'end'): TextNodePosition | null
}

const cachedLines = new WeakMap<readonly Block[], TextLines>()

/** Returns the same object for the same tree. */
export function linesOf(tree: readonly Block[]): TextLines {
  const cached = cachedLines.get(tree)
  if (cached) return cached
  const lines = readLines(textBlocksOf(tree))
  cachedLines.set(tree, lines)
  return lines
}

function readLines(blocks: readonly Block[]): TextLines {
  let numbers: Map<unknown, number> | undefined
  return {
    blocks,
    texts: blocks.map(blockTextOf),
    linePositionOf({ type, index }) {
      const line = (numbers ??= lineNumbersOf(blocks)).get(type.parent)
      const start = line === undefined ? null : nodeStartIn(blocks[line]!, type)
      return line === undefined || start === null ? null : { line, offset: start + index }
    },
    textNodePositionAt({ line, offset }, side) {
      const block = blocks[line]
      return block ? textNodePositionAt(block, offset, side) : null
    },
  }
}

/** The line number of each block. */
const lineNumbersOf = (blocks: readonly Block[]): Map<unknown, number> =>
  new Map(blocks.map(({ type }, line) => [type, line]))

/** Where a text node begins in its block; null where it is not in it any more. */
function nodeStartIn({ children }: Block, type: TextNodePosition['type']): number | null {
  let offset = 0
  for (const node of children) {
    if (node.type === type) return offset
    offset += isTextNode(node) ? node.runs.reduce((sum, { text }) => sum + text.length, 0) : 1
  }
  return null
}

export const isBefore = (a: LinePosition, b: LinePosition): boolean =>
  a.line < b.line || (a.line === b.line && a.offset < b.offset)

/** The letters of a range, with `\n` between lines. */
export function textOfRange({ texts }: TextLines, { from, to }: LineRange): string {
  const parts = texts.slice(from.line, to.line + 1)
  const last = parts.length - 1
  return parts
    .map((text, index) => text.slice(index === 0 ? from.offset : 0, index === last ? to.offset : undefined))
    .join('\n')
}

/** Relative positions of a range: it does not grow by what is written beside it, nor is it shifted. Null without a text node. */
export function relativePositionsOf(
  lines: TextLines,
  { from, to }: LineRange,
): { at: string; to: string } | null {
  const [start, end] = [lines.textNodePositionAt(from, 'start'), lines.textNodePositionAt(to, 'end')]
  return start && end && { at: encodePositionAt(start, 0), to: encodePositionAt(end, -1) }
}
