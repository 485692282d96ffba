/** Says what was undone, and where. */
import type { UndoReport } from '@/lib/undo/undo.ts'
import { undoStrings } from '@/lib/strings/undo.ts'

/** For example "Undone: “budget” typed in Outline." */
export function undoText({ direction, what, windowLabel, isOwnStep }: UndoReport): string {
  const directionTexts = direction === 'undo' ? undoStrings.undone : undoStrings.redone
  const change = changeText(what)
  if (windowLabel) return directionTexts.in(change, windowLabel)
  return isOwnStep ? directionTexts.inOwnWindow(change) : directionTexts.inOtherWindow(change)
}

function changeText({ label, typed, deleted }: UndoReport['what']): string {
  if (label) return label
  if (typed && deleted) return undoStrings.change.replaced(deleted, typed)
  if (typed) return undoStrings.change.typed(typed)
  return deleted ? undoStrings.change.deleted(deleted) : undoStrings.change.unknown
}
