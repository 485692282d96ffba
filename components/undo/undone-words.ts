/** What a person is told that was undone, and where. */
import type { UndoReport } from '@/lib/undo/undo.ts'
import { strings } from '@/lib/strings/undo.ts'

/** "Undone: “budget” typed in Outline." */
export function undoneWords({ direction, what, where, isOwnStep }: UndoReport): string {
  const said = direction === 'undo' ? strings.undone : strings.redone
  const change = changeWords(what)
  if (where) return said.in(change, where)
  return isOwnStep ? said.inOwnWindow(change) : said.inOtherWindow(change)
}

function changeWords({ label, typed, deleted }: UndoReport['what']): string {
  if (label) return label
  if (typed && deleted) return strings.change.replaced(deleted, typed)
  if (typed) return strings.change.typed(typed)
  return deleted ? strings.change.deleted(deleted) : strings.change.unknown
}
