/**
 * Finds quoted words again, by themselves and by what stood around them. Ends of lines do not count: since then a line may have been
 * split, or two joined. Only few words that nothing else stood around are looked for as the line that they were.
 */
import type { LinePosition, TextLines, LineRange } from '../text/lines.ts'
import type { ThreadAnchor } from './stored-thread.ts'
import { CONTEXT_LENGTH } from './thread-anchor.ts'

type QuoteWithContext = Pick<ThreadAnchor, 'quote' | 'before' | 'after'>

/** A quote this long that occurs once is the right one, whatever stands around it now. In letters. */
const DISTINCTIVE_LENGTH = 12
/** This many equal letters around it decide between several candidates, and make up for a short quote. */
const MIN_SAME_CONTEXT = 8
/** A quote that occurs more often than this cannot be placed. */
const MAX_CANDIDATES = 200

interface QuoteCandidate {
  readonly index: number
  /** The number of letters around it that are as they were. */
  readonly same: number
  /** All that is known of what stood around it does, the ends of its lines included. */
  readonly isAsItWas: boolean
}

export function findQuote(lines: TextLines, { quote, before, after }: QuoteWithContext): LineRange | null {
  const { letters, positionAt, isBreak } = joinedLinesOf(lines)
  const wanted = withoutBreaks(quote)
  if (wanted === '') return null
  const [contextBefore, contextAfter] = [withoutBreaks(before), withoutBreaks(after)]
  const isLineStart = before.length < CONTEXT_LENGTH
  const isLineEnd = after.length < CONTEXT_LENGTH
  const candidates = occurrences(letters, wanted).map((index): QuoteCandidate => {
    const end = index + wanted.length
    const [sameBefore, sameAfter] = [
      countSameBefore(letters, index, contextBefore),
      countSameAfter(letters, end, contextAfter),
    ]
    const isAsItWas =
      sameBefore === contextBefore.length &&
      sameAfter === contextAfter.length &&
      (!isLineStart || isBreak(index - sameBefore)) &&
      (!isLineEnd || isBreak(end + sameAfter))
    return { index, same: sameBefore + sameAfter, isAsItWas }
  })
  const found = bestCandidate(candidates, wanted)
  if (found === null) return null
  return { from: positionAt(found, 'start'), to: positionAt(found + wanted.length, 'end') }
}

function bestCandidate(candidates: readonly QuoteCandidate[], wanted: string): number | null {
  const [first, second] = candidates.toSorted((a, b) => b.same - a.same)
  if (!first) return null
  const isOnly = second === undefined && wanted.length >= DISTINCTIVE_LENGTH
  const isFamiliar = first.same >= MIN_SAME_CONTEXT && first.same > (second?.same ?? -1)
  if (isOnly || isFamiliar) return first.index
  // One mention is like any other to those who read letters.
  if (/^\uFFFC+$/.test(wanted)) return null
  const [unchanged, ...more] = candidates.filter(({ isAsItWas }) => isAsItWas)
  return unchanged && more.length === 0 ? unchanged.index : null
}

function occurrences(letters: string, wanted: string): number[] {
  const found: number[] = []
  for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) {
    found.push(at)
    if (found.length > MAX_CANDIDATES) return []
  }
  return found
}

function countSameBefore(letters: string, index: number, before: string): number {
  let count = 0
  while (count < before.length && letters[index - 1 - count] === before.at(-1 - count)) count++
  return count
}

function countSameAfter(letters: string, index: number, after: string): number {
  let count = 0
  while (count < after.length && letters[index + count] === after[count]) count++
  return count
}

const withoutBreaks = (text: string): string => text.replaceAll('\n', '')

interface JoinedLines {
  readonly letters: string
  /** Between two lines it is the beginning of the later or the end of the earlier. */
  positionAt(index: number, side: 'start' | 'end'): LinePosition
  /** Whether a line begins or ends there. */
  isBreak(index: number): boolean
}

const cachedJoins = new WeakMap<TextLines, JoinedLines>()

function joinedLinesOf(lines: TextLines): JoinedLines {
  const cached = cachedJoins.get(lines)
  if (cached) return cached
  const created = joinLines(lines)
  cachedJoins.set(lines, created)
  return created
}

interface JoinedPiece extends LinePosition {
  /** The index in the joined letters. */
  readonly start: number
}

function joinLines({ texts }: TextLines): JoinedLines {
  const pieces: JoinedPiece[] = []
  const parts: string[] = []
  let start = 0
  texts.forEach((text, line) => {
    let offset = 0
    for (const part of text.split('\n')) {
      pieces.push({ line, offset, start })
      parts.push(part)
      start += part.length
      offset += part.length + 1
    }
  })
  const breaks = new Set([...pieces.map((piece) => piece.start), start])
  return {
    letters: parts.join(''),
    positionAt: (index, side) => positionInPieces(pieces, index, side),
    isBreak: (index) => breaks.has(index),
  }
}

function positionInPieces(
  pieces: readonly JoinedPiece[],
  index: number,
  side: 'start' | 'end',
): LinePosition {
  const reached = ({ start }: JoinedPiece) => (side === 'start' ? start <= index : start < index)
  const { line, offset, start } = pieces.findLast(reached) ?? pieces[0]!
  return { line, offset: offset + index - start }
}
