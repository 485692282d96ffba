/**
 * Finds where in the text a thread belongs. Relative positions hold while people write. Text that is cut and pasted, split or joined is
 * new to Yjs, and its old positions are dead: then the quoted words are searched for.
 */
import type * as Y from 'yjs'
import { resolvePosition } from '../following/text-position.ts'
import { isBefore, type LinePosition, type TextLines, textOfRange, type LineRange } from '../text/lines.ts'
import { findQuote } from './find-quote.ts'
import type { ThreadAnchor } from './stored-thread.ts'
import { trimRange } from './thread-anchor.ts'

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
  const resolved = resolvePosition(text, position)
  return resolved && lines.linePositionOf(resolved)
}
