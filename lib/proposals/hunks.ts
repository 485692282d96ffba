/** Places at which a proposal changes the words of one text. Knows letters; does not know blocks. */
import { wordTokensOf } from '../text/word-diff.ts'
import { isSameLetter, isSameText, type Letter, lettersText, matchLetters } from './letters.ts'

/** Letters `from` to `to` of the base become `proposedFrom` to `proposedTo` of the proposal. Hunks neither meet nor overlap. */
export interface Hunk {
  readonly from: number
  readonly to: number
  readonly proposedFrom: number
  readonly proposedTo: number
}

/** The letters of the original in which a hunk belongs, and what became of them. */
export interface HunkPlace {
  readonly from: number
  readonly to: number
  /** `base`: as they were when the proposal began. `proposed`: as the proposal has them. */
  readonly state: 'base' | 'proposed' | 'changed'
}

/** Whole words, in the order of reading. */
export function hunksBetween(base: readonly Letter[], proposal: readonly Letter[]): Hunk[] {
  const matches = matchLetters(base, proposal)
  const [baseEnds, proposedEnds] = [wordEndsOf(base), wordEndsOf(proposal)]
  const isKept = (at: number): boolean =>
    matches[at]! >= 0 && isSameLetter(base[at]!, proposal[matches[at]!]!)
  const exact: Hunk[] = []
  let [from, proposedFrom] = [0, 0]
  for (let at = 0; at <= base.length; at += 1) {
    if (at < base.length && !isKept(at)) continue
    const proposedTo = at < base.length ? matches[at]! : proposal.length
    if (at > from || proposedTo > proposedFrom) exact.push({ from, to: at, proposedFrom, proposedTo })
    ;[from, proposedFrom] = [at + 1, proposedTo + 1]
  }
  const widened = exact.map((hunk, index) => {
    const [before, after] = [exact[index - 1], exact[index + 1]]
    const isEnd = (by: number, side: 'start' | 'end'): boolean =>
      side === 'start'
        ? baseEnds.has(hunk.from - by) && proposedEnds.has(hunk.proposedFrom - by)
        : baseEnds.has(hunk.to + by) && proposedEnds.has(hunk.proposedTo + by)
    const reach = (limit: number, side: 'start' | 'end'): number => {
      let by = 0
      while (by < limit && !isEnd(by, side)) by += 1
      return by
    }
    const left = reach(hunk.from - (before?.to ?? 0), 'start')
    const right = reach((after?.from ?? base.length) - hunk.to, 'end')
    return {
      from: hunk.from - left,
      to: hunk.to + right,
      proposedFrom: hunk.proposedFrom - left,
      proposedTo: hunk.proposedTo + right,
    }
  })
  return joinNear(widened, base).filter(
    ({ from: start, to, proposedFrom: begin, proposedTo }) =>
      !isSameText(base.slice(start, to), proposal.slice(begin, proposedTo)),
  )
}

const wordEndsOf = (letters: readonly Letter[]): Set<number> => {
  let end = 0
  return new Set([0, ...wordTokensOf(lettersText(letters)).map(({ length }) => (end += length))])
}

/** Two changed words with nothing but a space between them are one change. */
function joinNear(hunks: readonly Hunk[], base: readonly Letter[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const between = last && lettersText(base.slice(last.to, hunk.from))
    if (last && between !== undefined && between.trim() === '' && !between.includes('\n'))
      joined[joined.length - 1] = { ...last, to: hunk.to, proposedTo: hunk.proposedTo }
    else joined.push(hunk)
  }
  return joined
}

/** Finds the places of a text's hunks in the original, in time that does not grow with what is gone there. */
export function placeFinderOf(
  base: readonly Letter[],
  proposal: readonly Letter[],
  original: readonly Letter[],
): (hunk: Hunk) => HunkPlace {
  const matches = matchLetters(base, original)
  /** `ends[i]`: where the last letter before `i` that the original has kept ends there; `starts[i]`: where the next one begins. */
  const [ends, starts] = [new Uint32Array(base.length + 1), new Uint32Array(base.length + 1)]
  starts[base.length] = original.length
  for (let at = 0; at < base.length; at += 1) ends[at + 1] = matches[at]! < 0 ? ends[at]! : matches[at]! + 1
  for (let at = base.length - 1; at >= 0; at -= 1)
    starts[at] = matches[at]! < 0 ? starts[at + 1]! : matches[at]!
  return (hunk) => {
    const [from, to] = [ends[hunk.from]!, starts[hunk.to]!]
    const present = original.slice(from, to)
    // Marks that the original has had changed are a change, too.
    if (isSameText(present, base.slice(hunk.from, hunk.to))) return { from, to, state: 'base' }
    const isProposed = isSameText(present, proposal.slice(hunk.proposedFrom, hunk.proposedTo))
    return { from, to, state: isProposed ? 'proposed' : 'changed' }
  }
}
