/** A text as a list of lines, one for each text block: what is searched, and where comments and matches have their order. */
import { positionAt } from '../following/spot.ts'
import { placeAt, plainOf, textBlocksOf, type TextPlace } from './plain.ts'
import { type Block, isText } from './tree.ts'

export interface LinePlace {
  readonly line: number
  /** In UTF-16 units of the line's text. */
  readonly offset: number
}

/** `from` is before `to`. */
export interface Stretch {
  readonly from: LinePlace
  readonly to: LinePlace
}

export interface Lines {
  readonly blocks: readonly Block[]
  readonly texts: readonly string[]
  /** Null for a place that is not in the text any more. */
  find(place: TextPlace): LinePlace | null
  /** Null in a line without a text node. Between two of them: the beginning of the later one, or the end of the earlier. */
  at(place: LinePlace, side?: 'start' | 'end'): TextPlace | null
}

const known = new WeakMap<readonly Block[], Lines>()

/** The same object for the same tree. */
export function linesOf(tree: readonly Block[]): Lines {
  const before = known.get(tree)
  if (before) return before
  const lines = readLines(textBlocksOf(tree))
  known.set(tree, lines)
  return lines
}

function readLines(blocks: readonly Block[]): Lines {
  let numbers: Map<unknown, number> | undefined
  return {
    blocks,
    texts: blocks.map(plainOf),
    find({ type, index }) {
      const line = (numbers ??= numbersOf(blocks)).get(type.parent)
      const start = line === undefined ? null : startIn(blocks[line]!, type)
      return line === undefined || start === null ? null : { line, offset: start + index }
    },
    at({ line, offset }, side) {
      const block = blocks[line]
      return block ? placeAt(block, offset, side) : null
    },
  }
}

/** Which line each block is. */
const numbersOf = (blocks: readonly Block[]): Map<unknown, number> =>
  new Map(blocks.map(({ type }, line) => [type, line]))

/** Where a text node begins in its block; null where it is not in it any more. */
function startIn({ children }: Block, type: TextPlace['type']): number | null {
  let offset = 0
  for (const part of children) {
    if (part.type === type) return offset
    offset += isText(part) ? part.runs.reduce((sum, { text }) => sum + text.length, 0) : 1
  }
  return null
}

export const isBefore = (a: LinePlace, b: LinePlace): boolean =>
  a.line < b.line || (a.line === b.line && a.offset < b.offset)

/** The letters of a stretch, lines apart by `\n`. */
export function lettersIn({ texts }: Lines, { from, to }: Stretch): string {
  const parts = texts.slice(from.line, to.line + 1)
  const last = parts.length - 1
  return parts
    .map((text, index) => text.slice(index === 0 ? from.offset : 0, index === last ? to.offset : undefined))
    .join('\n')
}

/** Relative positions of a stretch: it neither grows by what is written beside it, nor is it shifted. Null without a text node. */
export function positionsOf(lines: Lines, { from, to }: Stretch): { at: string; to: string } | null {
  const [start, end] = [lines.at(from, 'start'), lines.at(to, 'end')]
  return start && end && { at: positionAt(start, 0), to: positionAt(end, -1) }
}
