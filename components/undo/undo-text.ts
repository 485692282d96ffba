/** Says what was undone, and where. */
import type { UndoReport } from '@/lib/undo/undo.ts'
import { strings } from '@/lib/strings/undo.ts'

/** For example "Undone: “budget” typed in Outline." */
export function undoText({ direction, what, windowLabel, isOwnStep }: UndoReport): string {
  const directionTexts = direction === 'undo' ? strings.undone : strings.redone
  const change = changeText(what)
  if (windowLabel) return directionTexts.in(change, windowLabel)
  return isOwnStep ? directionTexts.inOwnWindow(change) : directionTexts.inOtherWindow(change)
}

function changeText({ label, typed, deleted }: UndoReport['what']): string {
  if (label) return label
  if (typed && deleted) return strings.change.replaced(deleted, typed)
  if (typed) return strings.change.typed(typed)
  return deleted ? strings.change.deleted(deleted) : strings.change.unknown
}
