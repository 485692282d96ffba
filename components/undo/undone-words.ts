/** What a person is told that was undone, and where. */
import type { Undone } from '@/lib/undo/undo.ts'

/** "Undone: “budget” typed in Outline." */
export function undoneWords({ direction, what, where, here }: Undone): string {
  const begin = direction === 'undo' ? 'Undone' : 'Done again'
  const place = where ? ` in ${where}` : here ? '' : ' in another window'
  return `${begin}: ${whatWords(what)}${place}.`
}

function whatWords({ label, typed, deleted }: Undone['what']): string {
  if (label) return label
  if (typed && deleted) return `“${deleted}” replaced by “${typed}”`
  if (typed) return `“${typed}” typed`
  return deleted ? `“${deleted}” deleted` : 'a change'
}
