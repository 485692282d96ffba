import { expect, test } from 'vitest'
import { undoneWords } from './undone-words.ts'

test.each([
  [{ direction: 'undo', what: { typed: 'budget' }, where: 'Outline', here: false }, 'Undone: “budget” typed in Outline.'],
  [{ direction: 'undo', what: { deleted: 'budget' }, where: '', here: false }, 'Undone: “budget” deleted in another window.'],
  [{ direction: 'redo', what: { typed: 'b', deleted: 'a' }, where: '', here: true }, 'Redone: “a” replaced by “b”.'],
  [{ direction: 'undo', what: { label: '12 matches replaced' }, where: 'Find', here: true }, 'Undone: 12 matches replaced in Find.'],
  [{ direction: 'undo', what: {}, where: '', here: true }, 'Undone: a change.'],
] as const)('%j', (undone, words) => {
  expect(undoneWords(undone)).toBe(words)
}) // prettier-ignore
