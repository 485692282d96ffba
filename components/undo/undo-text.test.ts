import { expect, test } from 'vitest'
import { undoText } from './undo-text.ts'

test.each([
  [{ direction: 'undo', what: { typed: 'budget' }, windowLabel: 'Outline', isOwnStep: false }, 'Undone: “budget” typed in Outline.'],
  [{ direction: 'undo', what: { deleted: 'budget' }, windowLabel: '', isOwnStep: false }, 'Undone: “budget” deleted in another window.'],
  [{ direction: 'redo', what: { typed: 'b', deleted: 'a' }, windowLabel: '', isOwnStep: true }, 'Redone: “a” replaced by “b”.'],
  [{ direction: 'undo', what: { label: '12 matches replaced' }, windowLabel: 'Find', isOwnStep: true }, 'Undone: 12 matches replaced in Find.'],
  [{ direction: 'undo', what: {}, windowLabel: '', isOwnStep: true }, 'Undone: a change.'],
] as const)('%j', (undone, expected) => {
  expect(undoText(undone)).toBe(expected)
}) // prettier-ignore
