import { expect, test } from 'vitest'
import { undoText } from './undo-text.ts'

test.each([
  [{ direction: 'undo', what: { typed: 'budget' }, where: 'Outline', isOwnStep: false }, 'Undone: “budget” typed in Outline.'],
  [{ direction: 'undo', what: { deleted: 'budget' }, where: '', isOwnStep: false }, 'Undone: “budget” deleted in another window.'],
  [{ direction: 'redo', what: { typed: 'b', deleted: 'a' }, where: '', isOwnStep: true }, 'Redone: “a” replaced by “b”.'],
  [{ direction: 'undo', what: { label: '12 matches replaced' }, where: 'Find', isOwnStep: true }, 'Undone: 12 matches replaced in Find.'],
  [{ direction: 'undo', what: {}, where: '', isOwnStep: true }, 'Undone: a change.'],
] as const)('%j', (undone, expected) => {
  expect(undoText(undone)).toBe(expected)
}) // prettier-ignore
