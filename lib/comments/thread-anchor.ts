/** Describes where in the text a new thread belongs. */
import {
  isBefore,
  type LinePosition,
  type TextLines,
  textOfRange,
  relativePositionsOf,
  type LineRange,
} from '../text/lines.ts'
import { MAX_QUOTE_LENGTH } from '../protocol/comments.ts'
import type { ThreadAnchor } from './stored-thread.ts'

/** The number of letters kept from before and after the quote. */
export const CONTEXT_LENGTH = 32

/** Returns null where the range holds no letter: there is nothing to comment on. */
export function threadAnchorOf(lines: TextLines, range: LineRange): ThreadAnchor | null {
  const trimmedRange = trimRange(lines, range)
  const positions = trimmedRange && relativePositionsOf(lines, trimmedRange)
  if (!positions) return null
  const { from, to } = trimmedRange
  return {
    from: positions.at,
    to: positions.to,
    quote: textOfRange(lines, trimmedRange).slice(0, MAX_QUOTE_LENGTH),
    before: lines.texts[from.line]!.slice(Math.max(0, from.offset - CONTEXT_LENGTH), from.offset),
    after: lines.texts[to.line]!.slice(to.offset, to.offset + CONTEXT_LENGTH),
  }
}

/** Cuts off the blanks at its ends; null where nothing else is in it. */
export function trimRange(lines: TextLines, { from, to }: LineRange): LineRange | null {
  const [start, end] = [skipBlanks(lines, from, to), skipBlanksBack(lines, from, to)]
  return isBefore(start, end) ? { from: start, to: end } : null
}

function skipBlanks({ texts }: TextLines, from: LinePosition, to: LinePosition): LinePosition {
  for (let line = from.line; line <= to.line; line++) {
    const begin = line === from.line ? from.offset : 0
    const rest = texts[line]!.slice(begin)
    if (rest.trim() !== '') return { line, offset: begin + rest.length - rest.trimStart().length }
  }
  return to
}

function skipBlanksBack({ texts }: TextLines, from: LinePosition, to: LinePosition): LinePosition {
  for (let line = to.line; line >= from.line; line--) {
    const head = texts[line]!.slice(0, line === to.line ? to.offset : undefined)
    if (head.trim() !== '') return { line, offset: head.trimEnd().length }
  }
  return from
}
