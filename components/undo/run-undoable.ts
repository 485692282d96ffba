import { toast } from '@/components/ui/toast'
import type { Undo } from '@/lib/undo/undo.ts'
import { strings } from '@/lib/strings/undo.ts'

/** One step of this window's undo. `takeBack` undoes it, and never something else that was done since. */
export function runUndoable<Answer>(
  undo: Undo,
  label: string,
  change: () => Answer,
): { readonly answer: Answer; readonly takeBack: () => void } {
  const last = () => undo.nextItem('undo')
  const before = last()
  const answer = undo.runAsStep(label, change)
  const step = last()
  const takeBack = () => {
    if (step !== before && last() === step) undo.undo()
    else toast(strings.tooLate)
  }
  return { answer, takeBack }
}
