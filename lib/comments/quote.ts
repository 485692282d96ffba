/**
 * Finds quoted words again, by themselves and by what stood around them. Ends of lines do not count: a line may have been split, or
 * two joined, since.
 */
import type { LinePlace, Lines, Stretch } from '../text/lines.ts'
import type { Anchor } from './thread.ts'

type Quote = Pick<Anchor, 'quote' | 'before' | 'after'>

/** A quote this long that occurs once is the one that was meant, whatever stands around it now. In letters. */
const TELLING = 12
/** So many letters around it that are the same decide between several, and make up for a short one. */
const FAMILIAR = 8
/** Where it occurs more often than this it tells nothing. */
const MAX_CANDIDATES = 200

interface Candidate {
  readonly index: number
  /** Letters around it that are as they were. */
  readonly same: number
}

export function findQuote(lines: Lines, { quote, before, after }: Quote): Stretch | null {
  const { letters, placeOf } = joined(lines)
  const wanted = withoutBreaks(quote)
  if (wanted === '') return null
  const [head, tail] = [withoutBreaks(before), withoutBreaks(after)]
  const candidates = occurrences(letters, wanted).map((index) => ({
    index,
    same: sameBefore(letters, index, head) + sameAfter(letters, index + wanted.length, tail),
  }))
  const found = best(candidates, wanted.length)
  if (found === null) return null
  return { from: placeOf(found, 'start'), to: placeOf(found + wanted.length, 'end') }
}

function best(candidates: readonly Candidate[], length: number): number | null {
  const [first, second] = candidates.toSorted((a, b) => b.same - a.same)
  if (!first) return null
  const isOnly = second === undefined && length >= TELLING
  const isFamiliar = first.same >= FAMILIAR && first.same > (second?.same ?? -1)
  return isOnly || isFamiliar ? first.index : null
}

function occurrences(letters: string, wanted: string): number[] {
  const found: number[] = []
  for (let at = letters.indexOf(wanted); at !== -1; at = letters.indexOf(wanted, at + 1)) {
    found.push(at)
    if (found.length > MAX_CANDIDATES) return []
  }
  return found
}

function sameBefore(letters: string, index: number, before: string): number {
  let count = 0
  while (count < before.length && letters[index - 1 - count] === before.at(-1 - count)) count++
  return count
}

function sameAfter(letters: string, index: number, after: string): number {
  let count = 0
  while (count < after.length && letters[index + count] === after[count]) count++
  return count
}

const withoutBreaks = (text: string): string => text.replaceAll('\n', '')

interface Joined {
  readonly letters: string
  /** Between two lines: the beginning of the later, or the end of the earlier. */
  placeOf(index: number, side: 'start' | 'end'): LinePlace
}

const known = new WeakMap<Lines, Joined>()

function joined(lines: Lines): Joined {
  const before = known.get(lines)
  if (before) return before
  const made = join(lines)
  known.set(lines, made)
  return made
}

interface Piece extends LinePlace {
  /** In the joined letters. */
  readonly start: number
}

function join({ texts }: Lines): Joined {
  const pieces: Piece[] = []
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
  return { letters: parts.join(''), placeOf: (index, side) => placeIn(pieces, index, side) }
}

function placeIn(pieces: readonly Piece[], index: number, side: 'start' | 'end'): LinePlace {
  const reached = ({ start }: Piece) => (side === 'start' ? start <= index : start < index)
  const { line, offset, start } = pieces.findLast(reached) ?? pieces[0]!
  return { line, offset: offset + index - start }
}
