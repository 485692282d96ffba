/**
 * The lines of a text as they are searched: a mention, a date or a formula, which is one unit of its line, is found by what it stands for.
 * A match that touches one covers all of it.
 */
import { definitionOf } from '../blocks/blocks.ts'
import type { SearchResult } from './find.ts'
import type { TextLines } from './lines.ts'
import { isTextBlock, shownTextOf, textOfNode } from './plain-text.ts'
import type { SearchMatch } from './search-match.ts'
import { type Block, isTextNode } from './tree.ts'

/** What stands for one unit of a line. */
interface StandIn {
  /** Where the unit is in the line. */
  readonly at: number
  /** Where its letters are in what is searched. */
  readonly from: number
  readonly to: number
}

interface SearchedLine {
  readonly text: string
  readonly standIns: readonly StandIn[]
}

export interface SearchedLines {
  readonly texts: readonly string[]
  /** Gives matches in these texts their place in the lines. */
  locateMatches(result: SearchResult): SearchResult
}

const cachedLines = new WeakMap<Block, SearchedLine>()

/** Null for a line of letters alone. */
function searchedLineOf(block: Block): SearchedLine | null {
  const hasStandIn = block.children.some((node) => !isTextNode(node) && definitionOf(node.name)?.letters)
  if (!hasStandIn || !isTextBlock(block)) return null
  const cached = cachedLines.get(block)
  if (cached) return cached
  const standIns: StandIn[] = []
  let [text, at] = ['', 0]
  for (const node of block.children) {
    const unit = textOfNode(node)
    const letters = isTextNode(node) ? unit : shownTextOf(node)
    if (letters !== unit) standIns.push({ at, from: text.length, to: text.length + letters.length })
    text += letters
    at += unit.length
  }
  const line = { text, standIns }
  cachedLines.set(block, line)
  return line
}

export function searchedLinesOf({ blocks, texts }: TextLines): SearchedLines {
  const lines = blocks.map(searchedLineOf)
  const locate = (match: SearchMatch): SearchMatch => {
    const line = lines[match.line]
    return line ? locateMatch(match, line, texts[match.line]!) : match
  }
  return {
    texts: lines.map((line, at) => line?.text ?? texts[at]!),
    locateMatches: ({ matches, complete }) => ({ matches: withoutRepeats(matches.map(locate)), complete }),
  }
}

function locateMatch(match: SearchMatch, { standIns }: SearchedLine, letters: string): SearchMatch {
  const { offset, text } = match
  const start = unitOffsetOf(offset, standIns)
  const end = unitOffsetOf(offset + text.length - 1, standIns) + 1
  return { ...match, offset: start, text: letters.slice(start, end), found: { offset, text } }
}

/** The unit of the line that a letter of what is searched belongs to. */
function unitOffsetOf(offset: number, standIns: readonly StandIn[]): number {
  let longer = 0
  for (const { at, from, to } of standIns) {
    if (offset < from) break
    if (offset < to) return at
    longer += to - from - 1
  }
  return offset - longer
}

/** A name may hold what is searched for several times. */
const withoutRepeats = (matches: readonly SearchMatch[]): readonly SearchMatch[] =>
  matches.filter(({ line, offset }, index) => {
    const before = matches[index - 1]
    return before?.line !== line || before.offset !== offset
  })
