/** A text as a list of lines, one for each text block. It is what is searched, and it gives comments and matches their order. */
import * as Y from 'yjs'
import { encodePositionAt, type YjsPosition } from '../following/text-position.ts'
import {
  textNodePositionAt,
  blockTextOf,
  textBlocksOf,
  textOfNode,
  type TextNodePosition,
} from './plain-text.ts'
import type { Block } from './tree.ts'

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
  /** Of a position in a text node, or between the nodes of a line. Returns null for one that is not in the text any more. */
  linePositionOf(position: YjsPosition): LinePosition | null
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
      numbers ??= lineNumbersOf(blocks)
      const own = type instanceof Y.XmlElement ? numbers.get(type) : undefined
      if (own !== undefined) return { line: own, offset: childStartIn(blocks[own]!, index) }
      const line = numbers.get(type.parent)
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
function nodeStartIn(block: Block, type: YjsPosition['type']): number | null {
  const index = block.children.findIndex((node) => node.type === type)
  return index === -1 ? null : childStartIn(block, index)
}

const childStartIn = ({ children }: Block, index: number): number =>
  children.slice(0, index).reduce((sum, node) => sum + textOfNode(node).length, 0)

/** The number of nodes that end at or before the offset. */
function childIndexAt({ children }: Block, offset: number): number {
  let end = 0
  const next = children.findIndex((node) => (end += textOfNode(node).length) > offset)
  return next === -1 ? children.length : next
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

/**
 * Relative positions of a range: it does not grow by what is written beside it, nor is it shifted. Null outside of all lines. A mention that
 * has no letters beside it stands between two positions of its line.
 */
export function relativePositionsOf(
  lines: TextLines,
  { from, to }: LineRange,
): { at: string; to: string } | null {
  const [start, end] = [positionAt(lines, from, 'start'), positionAt(lines, to, 'end')]
  return start && end && { at: encodePositionAt(start, 0), to: encodePositionAt(end, -1) }
}

function positionAt(lines: TextLines, position: LinePosition, side: 'start' | 'end'): YjsPosition | null {
  const inText = lines.textNodePositionAt(position, side)
  const block = lines.blocks[position.line]
  if (inText || !(block?.type instanceof Y.XmlElement)) return inText
  return { type: block.type, index: childIndexAt(block, position.offset) }
}
