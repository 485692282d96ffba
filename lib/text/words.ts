/** Two texts compared word by word, their marks along. Knows runs; does not know blocks or Yjs. */
import { diffArrays } from 'diff'
import type { Marks, Run } from './tree.ts'

/** What became of some letters. `marked`: they are the same, and carry other marks than before. */
export type Piece =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string; readonly marks: Marks }
  | { readonly kind: 'marked'; readonly text: string; readonly marks: Marks; readonly before: Marks }

interface Step {
  readonly kind: 'same' | 'added' | 'removed'
  /** UTF-16 units. */
  readonly length: number
}

/** Texts that differ by more words than this have no more in common than a reader could follow; finding it would take long. */
const MAX_EDITS = 1_000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Words, and one by one what stands between them. */
export const tokensOf = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)

/** In the order of reading; of a place that changed, what was there comes before what is there now. */
export function comparePieces(before: readonly Run[], after: readonly Run[]): Piece[] {
  const [old, now] = [takerOf(before), takerOf(after)]
  return stepsBetween(textOf(before), textOf(after)).flatMap(({ kind, length }) => {
    if (kind === 'removed') return old(length).map((run) => ({ kind, ...run }))
    if (kind === 'added') return now(length).map((run) => ({ kind, ...run }))
    return bothMarked(old(length), now(length))
  })
}

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

function stepsBetween(before: string, after: string): Step[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', length: before.length }]
  const changes = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MAX_EDITS })
  if (!changes)
    return merged([
      { kind: 'removed', length: before.length },
      { kind: 'added', length: after.length },
    ])
  const steps = changes.map(({ added, removed, value }) => ({
    kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    text: value.join(''),
  }))
  return merged(withoutLoneSpaces(steps).map(({ kind, text }) => ({ kind, length: text.length })))
}

interface TextStep {
  readonly kind: Step['kind']
  readonly text: string
}

/** A space that stayed between two words that did not is read with them. */
const withoutLoneSpaces = (steps: readonly TextStep[]): TextStep[] =>
  steps.flatMap((step, index) => {
    const inside = index > 0 && index < steps.length - 1
    if (step.kind !== 'same' || !inside || step.text.trim() !== '' || step.text.includes('\n')) return [step]
    return [
      { kind: 'removed', text: step.text },
      { kind: 'added', text: step.text },
    ]
  })

/** Of each stretch of changes all that is gone, then all that came. */
function merged(steps: readonly Step[]): Step[] {
  const result: Step[] = []
  let changed = { removed: 0, added: 0 }
  const flush = () => {
    for (const kind of ['removed', 'added'] as const)
      if (changed[kind] > 0) result.push({ kind, length: changed[kind] })
    changed = { removed: 0, added: 0 }
  }
  for (const step of steps) {
    if (step.kind !== 'same') changed[step.kind] += step.length
    else {
      flush()
      result.push(step)
    }
  }
  flush()
  return result
}

/** Gives away runs from the front, so many units at a time. */
function takerOf(runs: readonly Run[]): (length: number) => Run[] {
  let [index, offset] = [0, 0]
  return (length) => {
    const taken: Run[] = []
    while (length > 0) {
      const { text, marks } = runs[index]!
      const part = text.slice(offset, offset + length)
      if (part !== '') taken.push({ text: part, marks })
      length -= part.length
      offset += part.length
      if (offset >= text.length) [index, offset] = [index + 1, 0]
    }
    return taken
  }
}

/** Both hold the same letters. */
function bothMarked(before: readonly Run[], after: readonly Run[]): Piece[] {
  const length = textOf(after).length
  const ends = [...new Set([...endsOf(before), ...endsOf(after)])].toSorted((a, b) => a - b)
  const [old, now] = [takerOf(before), takerOf(after)]
  return ends
    .filter((end) => end <= length)
    .map((end, index) => {
      const size = end - (ends[index - 1] ?? 0)
      const [was, is] = [old(size)[0]!, now(size)[0]!]
      return sameMarks(was.marks, is.marks)
        ? { kind: 'same', ...is }
        : { kind: 'marked', ...is, before: was.marks }
    })
}

function endsOf(runs: readonly Run[]): number[] {
  let end = 0
  return runs.map(({ text }) => (end += text.length))
}

const sameMarks = (a: Marks, b: Marks): boolean => marksKey(a) === marksKey(b)

export const marksKey = (marks: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(marks).toSorted(([a], [b]) => (a < b ? -1 : 1)))
