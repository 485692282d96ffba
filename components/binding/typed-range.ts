/** Says where a person goes on typing, so that one undo takes back all of it. Looks at steps, and at no clock. */
import type { Transaction } from '@tiptap/pm/state'
import { ReplaceStep } from '@tiptap/pm/transform'

/** What was typed without anything else between, in the document after it. */
export interface TypedRange {
  readonly from: number
  readonly to: number
}

const SENTENCE_END = /[.!?…。！？]["'”’)]*\s$/
const SENTENCE_END_LETTERS = 8

/** Null for more than letters that are written or deleted within one line: a command, a paste, a new line. */
export function typedRangeOf(transaction: Transaction): TypedRange | null {
  const [step, ...others] = transaction.steps
  if (!(step instanceof ReplaceStep) || others.length > 0 || transaction.getMeta('uiEvent') !== undefined)
    return null
  const { from, to, slice } = step
  const $from = transaction.before.resolve(from)
  const isInLine = $from.parent.isTextblock && to <= $from.end()
  const isLetters = slice.openStart === 0 && slice.content.content.every(({ isText }) => isText)
  return isInLine && isLetters ? { from, to: from + slice.size } : null
}

/**
 * Returns the whole range where the transaction goes on with what was typed before; null where something new begins, as after the end of
 * a sentence.
 */
export function continueTyping(transaction: Transaction, typed: TypedRange | null): TypedRange | null {
  const range = typedRangeOf(transaction)
  if (!typed || !range) return null
  const { from, to } = transaction.steps[0] as ReplaceStep
  if (from > typed.to || to < typed.from) return null
  const { parent, parentOffset } = transaction.before.resolve(from)
  // Not the whole line, which may have a million letters.
  const before = parent.textBetween(Math.max(0, parentOffset - SENTENCE_END_LETTERS), parentOffset, null, ' ')
  const isSentence = from === to && SENTENCE_END.test(before)
  if (isSentence && typed.to - typed.from > 1) return null
  return { from: Math.min(typed.from, from), to: Math.max(typed.to - (to - from), from) + (range.to - from) }
}
