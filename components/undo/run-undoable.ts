import { toast } from '@/components/ui/toast.ts'
import type { Undo } from '@/lib/undo/undo.ts'
import { undoStrings } from '@/lib/strings/undo.ts'

/** Runs a change as one step of this window's undo. `takeBack` undoes that step, and never something done since: then it says so and returns false. */
export function runUndoable<Result>(
  undo: Undo,
  label: string,
  change: () => Result,
): { readonly result: Result; readonly takeBack: () => boolean } {
  const nextUndoStep = () => undo.nextItem('undo')
  const before = nextUndoStep()
  const result = undo.runAsStep(label, change)
  const step = nextUndoStep()
  const undoThisStep = () => {
    const isLast = step !== before && nextUndoStep() === step
    if (isLast) undo.undo()
    else toast(undoStrings.tooLate)
    return isLast
  }
  return { result, takeBack: undoThisStep }
}
