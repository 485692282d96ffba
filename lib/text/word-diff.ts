/** Compares two texts word by word, including their marks. Knows runs; does not know blocks or Yjs. */
import { diffArrays } from 'diff'
import type { TextMarks, TextRun } from './tree.ts'

/** What happened to some letters. `marked`: they are the same, but carry other marks than before. */
export type DiffPiece =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly text: string; readonly marks: TextMarks }
  | { readonly kind: 'marked'; readonly text: string; readonly marks: TextMarks; readonly before: TextMarks }

interface DiffStep {
  readonly kind: 'same' | 'added' | 'removed'
  /** In UTF-16 units. */
  readonly length: number
}

/** Texts that differ by more words than this have no more in common than a reader could follow, and finding it would take long. */
const MAX_EDITS = 1_000

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words, and each character between them by itself. */
export const wordTokensOf = (text: string): string[] =>
  [...segmenter.segment(text)].map(({ segment }) => segment)

/** Pieces in the order of reading; where a place changed, what was there comes before what is there now. */
export function diffRuns(before: readonly TextRun[], after: readonly TextRun[]): DiffPiece[] {
  const [old, now] = [runReaderOf(before), runReaderOf(after)]
  return diffStepsBetween(textOf(before), textOf(after)).flatMap(({ kind, length }) => {
    if (kind === 'removed') return old(length).map((run) => ({ kind, ...run }))
    if (kind === 'added') return now(length).map((run) => ({ kind, ...run }))
    return diffMarks(old(length), now(length))
  })
}

const textOf = (runs: readonly TextRun[]): string => runs.map(({ text }) => text).join('')

function diffStepsBetween(before: string, after: string): DiffStep[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', length: before.length }]
  const changes = diffArrays(wordTokensOf(before), wordTokensOf(after), { maxEditLength: MAX_EDITS })
  if (!changes)
    return groupSteps([
      { kind: 'removed', length: before.length },
      { kind: 'added', length: after.length },
    ])
  const steps = changes.map(({ added, removed, value }) => ({
    kind: added ? ('added' as const) : removed ? ('removed' as const) : ('same' as const),
    text: value.join(''),
  }))
  return groupSteps(withoutLoneSpaces(steps).map(({ kind, text }) => ({ kind, length: text.length })))
}

interface TextDiffStep {
  readonly kind: DiffStep['kind']
  readonly text: string
}

/** A single unchanged space between two changed words is read together with them. */
const withoutLoneSpaces = (steps: readonly TextDiffStep[]): TextDiffStep[] =>
  steps.flatMap((step, index) => {
    const inside = index > 0 && index < steps.length - 1
    if (step.kind !== 'same' || !inside || step.text.trim() !== '' || step.text.includes('\n')) return [step]
    return [
      { kind: 'removed', text: step.text },
      { kind: 'added', text: step.text },
    ]
  })

/** Puts all that is gone of each stretch of changes before all that came. */
function groupSteps(steps: readonly DiffStep[]): DiffStep[] {
  const result: DiffStep[] = []
  let lengths = { removed: 0, added: 0 }
  const flush = () => {
    for (const kind of ['removed', 'added'] as const)
      if (lengths[kind] > 0) result.push({ kind, length: lengths[kind] })
    lengths = { removed: 0, added: 0 }
  }
  for (const step of steps) {
    if (step.kind !== 'same') lengths[step.kind] += step.length
    else {
      flush()
      result.push(step)
    }
  }
  flush()
  return result
}

/** Returns a function that takes runs from the front, a given number of units at a time. */
function runReaderOf(runs: readonly TextRun[]): (length: number) => TextRun[] {
  let [index, offset] = [0, 0]
  return (length) => {
    const taken: TextRun[] = []
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

/** Both sides hold the same letters. */
function diffMarks(before: readonly TextRun[], after: readonly TextRun[]): DiffPiece[] {
  const length = textOf(after).length
  const ends = [...new Set([...runEndsOf(before), ...runEndsOf(after)])].toSorted((a, b) => a - b)
  const [old, now] = [runReaderOf(before), runReaderOf(after)]
  return ends
    .filter((end) => end <= length)
    .map((end, index) => {
      const size = end - (ends[index - 1] ?? 0)
      const [oldRun, newRun] = [old(size)[0]!, now(size)[0]!]
      return haveSameMarks(oldRun.marks, newRun.marks)
        ? { kind: 'same', ...newRun }
        : { kind: 'marked', ...newRun, before: oldRun.marks }
    })
}

function runEndsOf(runs: readonly TextRun[]): number[] {
  let end = 0
  return runs.map(({ text }) => (end += text.length))
}

const haveSameMarks = (a: TextMarks, b: TextMarks): boolean => marksKey(a) === marksKey(b)

export const marksKey = (marks: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.entries(marks).toSorted(([a], [b]) => (a < b ? -1 : 1)))
