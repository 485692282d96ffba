/**
 * Where in the text a thread belongs. Relative positions hold while people write; what is cut and pasted, split or joined is new text
 * to Yjs, and its positions are dead: then the quoted words are looked for.
 */
import * as Y from 'yjs'
import { placeOf } from '../following/spot.ts'
import { isBefore, type LinePlace, type Lines, lettersIn, positionsOf, type Stretch } from '../text/lines.ts'
import { findQuote } from './quote.ts'
import { type Anchor, MAX_QUOTE_LENGTH } from './thread.ts'

/** Letters kept of what stands before and after. */
const CONTEXT = 32

/** Null where the stretch holds no letter: nothing could be spoken of. */
export function anchorOf(lines: Lines, stretch: Stretch): Anchor | null {
  const whole = trimmed(lines, stretch)
  const positions = whole && positionsOf(lines, whole)
  if (!positions) return null
  const { from, to } = whole
  return {
    from: positions.at,
    to: positions.to,
    quote: lettersIn(lines, whole).slice(0, MAX_QUOTE_LENGTH),
    before: lines.texts[from.line]!.slice(Math.max(0, from.offset - CONTEXT), from.offset),
    after: lines.texts[to.line]!.slice(to.offset, to.offset + CONTEXT),
  }
}

/** The stretch of `text` that an anchor speaks of. Null where it is gone. */
export function locate(text: Y.XmlFragment, lines: Lines, anchor: Anchor): Stretch | null {
  const alive = byPositions(text, lines, anchor)
  if (alive && !isRemnant(lettersIn(lines, alive), anchor.quote)) return alive
  return findQuote(lines, anchor) ?? alive
}

/** Most of it is not here: the whole may be elsewhere. */
const isRemnant = (letters: string, quote: string): boolean => letters.length * 2 < quote.length

/** Where one end is dead, what is left of the other's line. */
function byPositions(text: Y.XmlFragment, lines: Lines, anchor: Anchor): Stretch | null {
  const [first, last] = [anchor.from, anchor.to].map((position) => find(text, lines, position))
  const from = first ?? (last && { line: last.line, offset: 0 })
  const to = last ?? (first && { line: first.line, offset: lines.texts[first.line]!.length })
  return from && to && isBefore(from, to) ? trimmed(lines, { from, to }) : null
}

function find(text: Y.XmlFragment, lines: Lines, position: string): LinePlace | null {
  const place = placeOf(text, position)
  return place?.type instanceof Y.XmlText ? lines.find({ type: place.type, index: place.index }) : null
}

/** Without the blanks at its ends; null where nothing else is in it. */
function trimmed(lines: Lines, { from, to }: Stretch): Stretch | null {
  const [start, end] = [skipBlanks(lines, from, to), skipBlanksBack(lines, from, to)]
  return isBefore(start, end) ? { from: start, to: end } : null
}

function skipBlanks({ texts }: Lines, from: LinePlace, to: LinePlace): LinePlace {
  for (let line = from.line; line <= to.line; line++) {
    const begin = line === from.line ? from.offset : 0
    const rest = texts[line]!.slice(begin)
    if (rest.trim() !== '') return { line, offset: begin + rest.length - rest.trimStart().length }
  }
  return to
}

function skipBlanksBack({ texts }: Lines, from: LinePlace, to: LinePlace): LinePlace {
  for (let line = to.line; line >= from.line; line--) {
    const head = texts[line]!.slice(0, line === to.line ? to.offset : undefined)
    if (head.trim() !== '') return { line, offset: head.trimEnd().length }
  }
  return from
}
