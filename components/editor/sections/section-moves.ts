/** Moves a section of the text, or changes its level, as one undo step. Knows no rows and no editor. */
import type { OpenDocument } from '@/lib/client.ts'
import { sectionAt, type Heading } from '@/lib/text/headings.ts'
import {
  canShiftSection,
  moveSection,
  indexAbove,
  indexBelow,
  shiftSection,
} from '@/lib/text/move-section.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { runUndoable } from '@/components/undo/run-undoable.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { textFragmentOf } from '@/components/binding/use-text-tree.ts'
import type { SectionAction } from './section-actions.ts'
import { outlineStrings } from '@/lib/strings/outline.ts'

export const headingName = ({ text }: Pick<Heading, 'text'>): string => text || outlineStrings.untitled

export interface MovedSection {
  /** The index of its heading now. */
  readonly index: number
  /** For example "Costs moved up". */
  readonly announcement: string
  takeBack(): void
}

type HeadingText = Pick<Heading, 'text'>

const levelChanges = { higher: -1, lower: 1 } as const

function targetIndexOf(opened: OpenDocument, index: number, action: 'up' | 'down'): number | null {
  return (action === 'up' ? indexAbove : indexBelow)(treeOf(textFragmentOf(opened)), index)
}

/** @param index The index of the section's heading among the top-level blocks. */
export function canMoveSection(opened: OpenDocument, index: number, action: SectionAction): boolean {
  if (action === 'up' || action === 'down') return targetIndexOf(opened, index, action) !== null
  return canShiftSection(treeOf(textFragmentOf(opened)), index, levelChanges[action])
}

/** Returns null if nothing was done. */
export function moveSectionByAction(
  opened: OpenDocument,
  heading: HeadingText,
  index: number,
  action: SectionAction,
): MovedSection | null {
  if (!canMoveSection(opened, index, action)) return null
  if (action === 'up' || action === 'down')
    return moveSectionBefore(opened, heading, index, targetIndexOf(opened, index, action)!)
  const { takeBack } = runUndoable(
    undoOf(opened),
    outlineStrings.steps.atAnotherLevel(headingName(heading)),
    () => shiftSection(textFragmentOf(opened), index, levelChanges[action], null),
  )
  return { index, announcement: outlineStrings.done[action](headingName(heading)), takeBack }
}

/** Moves the section before the top-level block at index `before`. */
export function moveSectionBefore(
  opened: OpenDocument,
  heading: HeadingText,
  index: number,
  before: number,
): MovedSection | null {
  const text = textFragmentOf(opened)
  const { result: newIndex, takeBack } = runUndoable(
    undoOf(opened),
    outlineStrings.steps.moved(headingName(heading)),
    () => moveSection(text, sectionAt(treeOf(text), index), before, null),
  )
  if (newIndex === index) return null
  return {
    index: newIndex,
    announcement: outlineStrings.done[newIndex < index ? 'up' : 'down'](headingName(heading)),
    takeBack,
  }
}
