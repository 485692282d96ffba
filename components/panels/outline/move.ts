/** Moves a section of the text, or gives it another level, as one step of undo. Knows no rows and no editor. */
import type { OpenDocument } from '@/lib/client.ts'
import { sectionAt, type Heading } from '@/lib/text/headings.ts'
import { canShift, moveSection, placeAbove, placeBelow, shiftSection } from '@/lib/text/move-section.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { runUndoable } from '@/components/undo/run-undoable'
import { undoOf } from '@/components/undo/undo-of'
import { textOf } from '../use-tree'
import type { Step } from './steps.ts'
import { strings } from '@/lib/strings/outline.ts'

export const nameOf = ({ text }: Pick<Heading, 'text'>): string => text || strings.untitled

export interface MovedSection {
  /** Where its heading now stands. */
  readonly index: number
  /** "Costs moved up" */
  readonly said: string
  takeBack(): void
}

type Named = Pick<Heading, 'text'>

const levelsOf = { higher: -1, lower: 1 } as const

function placeOf(opened: OpenDocument, index: number, step: 'up' | 'down'): number | null {
  return (step === 'up' ? placeAbove : placeBelow)(treeOf(textOf(opened)), index)
}

/** @param index Of the section's heading among the top blocks. */
export function canStep(opened: OpenDocument, index: number, step: Step): boolean {
  if (step === 'up' || step === 'down') return placeOf(opened, index, step) !== null
  return canShift(treeOf(textOf(opened)), index, levelsOf[step])
}

/** Null where nothing was done. */
export function stepSection(
  opened: OpenDocument,
  heading: Named,
  index: number,
  step: Step,
): MovedSection | null {
  if (!canStep(opened, index, step)) return null
  if (step === 'up' || step === 'down') return moveTo(opened, heading, index, placeOf(opened, index, step)!)
  const { takeBack } = runUndoable(undoOf(opened), strings.steps.atAnotherLevel(nameOf(heading)), () =>
    shiftSection(textOf(opened), index, levelsOf[step], null),
  )
  return { index, said: strings.done[step](nameOf(heading)), takeBack }
}

/** Before the top block at `before`. */
export function moveTo(
  opened: OpenDocument,
  heading: Named,
  index: number,
  before: number,
): MovedSection | null {
  const text = textOf(opened)
  const { answer: now, takeBack } = runUndoable(undoOf(opened), strings.steps.moved(nameOf(heading)), () =>
    moveSection(text, sectionAt(treeOf(text), index), before, null),
  )
  if (now === index) return null
  return { index: now, said: strings.done[now < index ? 'up' : 'down'](nameOf(heading)), takeBack }
}
