/**
 * Finds where in the text a thread belongs. Relative positions hold while people write. Text that is cut and pasted, split or joined is
 * new to Yjs, and its old positions are dead: then the quoted words are searched for.
 */
import * as Y from 'yjs'
import { resolvePosition } from '../following/text-position.ts'
import {
  isBefore,
  type LinePosition,
  type TextLines,
  textOfRange,
  relativePositionsOf,
  type LineRange,
} from '../text/lines.ts'
import { findQuote } from './find-quote.ts'
import { type ThreadAnchor, MAX_QUOTE_LENGTH } from './stored-thread.ts'

/** The number of letters kept from before and after the quote. */
const CONTEXT_LENGTH = 32

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

/** The range of `text` that an anchor refers to. Null where it is gone. */
export function locateAnchor(text: Y.XmlFragment, lines: TextLines, anchor: ThreadAnchor): LineRange | null {
  const positioned = rangeByPositions(text, lines, anchor)
  if (positioned && !isRemnant(textOfRange(lines, positioned), anchor.quote)) return positioned
  return findQuote(lines, anchor) ?? positioned
}

/** Most of the quote is missing here, so the whole may be elsewhere. */
const isRemnant = (letters: string, quote: string): boolean => letters.length * 2 < quote.length

/** Where one end is dead, the range is what is left of the other end's line. */
function rangeByPositions(text: Y.XmlFragment, lines: TextLines, anchor: ThreadAnchor): LineRange | null {
  const [first, last] = [anchor.from, anchor.to].map((position) => linePositionOf(text, lines, position))
  const from = first ?? (last && { line: last.line, offset: 0 })
  const to = last ?? (first && { line: first.line, offset: lines.texts[first.line]!.length })
  return from && to && isBefore(from, to) ? trimRange(lines, { from, to }) : null
}

function linePositionOf(text: Y.XmlFragment, lines: TextLines, position: string): LinePosition | null {
  const textPosition = resolvePosition(text, position)
  return textPosition?.type instanceof Y.XmlText
    ? lines.linePositionOf({ type: textPosition.type, index: textPosition.index })
    : null
}

/** Cuts off the blanks at its ends; null where nothing else is in it. */
function trimRange(lines: TextLines, { from, to }: LineRange): LineRange | null {
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
