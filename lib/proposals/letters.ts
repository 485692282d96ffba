/** The letters of a shared text, each with the id that Yjs gave it: a copy of the document has the same ids, so two copies can be compared exactly. */
import * as Y from 'yjs'
import { marksKey, wordTokensOf } from '../text/word-diff.ts'
import type { TextMarks, TextRun } from '../text/tree.ts'
import { firstItemOf } from '../yjs-internals/shared-type.ts'
import { diffArrays } from 'diff'

/** One UTF-16 unit; what is no letter (an embed) is one U+FFFC. */
export interface Letter {
  readonly id: string
  readonly unit: string
  /** As they are stored, which is more than a page shows. */
  readonly marks: TextMarks
}

export function lettersOf(text: Y.Text): Letter[] {
  const letters: Letter[] = []
  let marks: TextMarks = {}
  for (let item = firstItemOf(text); item; item = item.right) {
    if (item.deleted) continue
    const { content, id } = item
    if (content instanceof Y.ContentFormat) marks = withMark(marks, content.key, content.value)
    else {
      const units = content instanceof Y.ContentString ? content.str.split('') : ['\uFFFC']
      units.forEach((unit, at) => letters.push({ id: `${id.client}-${id.clock + at}`, unit, marks }))
    }
  }
  return letters
}

function withMark(marks: TextMarks, name: string, value: unknown): TextMarks {
  const { [name]: _former, ...others } = marks
  return value === null ? others : { ...others, [name]: value }
}

export const lettersText = (letters: readonly Letter[]): string => letters.map(({ unit }) => unit).join('')

/** Joins neighbours with the same marks. */
export function runsOfLetters(letters: readonly Letter[]): TextRun[] {
  const runs: TextRun[] = []
  for (const { unit, marks } of letters) {
    const last = runs.at(-1)
    if (last && isSameMarks(last.marks, marks)) runs[runs.length - 1] = { text: last.text + unit, marks }
    else runs.push({ text: unit, marks })
  }
  return runs
}

const isSameMarks = (a: TextMarks, b: TextMarks): boolean => a === b || marksKey(a) === marksKey(b)

export const isSameLetter = (a: Letter, b: Letter): boolean =>
  a.unit === b.unit && isSameMarks(a.marks, b.marks)

export const isSameText = (a: readonly Letter[], b: readonly Letter[]): boolean =>
  a.length === b.length && a.every((letter, index) => isSameLetter(letter, b[index]!))

/** For each letter of the former text the index of the same letter in the other one; -1 where it is gone. Indexes rise. */
export function matchLetters(before: readonly Letter[], after: readonly Letter[]): number[] {
  const indexes = new Map(after.map(({ id }, index) => [id, index]))
  const matches = before.map(({ id }) => indexes.get(id) ?? -1)
  // A text that was made anew shares no id with the former one, and is compared by its words.
  return matches.some((match) => match >= 0) ? matches : matchWords(before, after)
}

/** Texts that differ by more words than this are replaced as a whole. */
const MAX_EDITS = 1_000

function matchWords(before: readonly Letter[], after: readonly Letter[]): number[] {
  const [old, now] = [wordTokensOf(lettersText(before)), wordTokensOf(lettersText(after))]
  const steps = diffArrays(old, now, { maxEditLength: MAX_EDITS }) ?? []
  const matches: number[] = []
  let to = 0
  for (const { added, removed, value } of steps) {
    const { length } = value.join('')
    for (let at = 0; at < length && !added; at += 1) matches.push(removed ? -1 : to + at)
    if (!removed) to += length
  }
  while (matches.length < before.length) matches.push(-1)
  return matches
}
