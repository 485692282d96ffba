/** One step of undo: what an edit put in and took out, and what there is to say of it. As it stands on a stack, and as it travels. */
import * as Y from 'yjs'
import { textInRanges, type StructRanges, structRangesOf, deleteSetOf } from './struct-ranges.ts'

export type StackItem = Y.UndoManager['undoStack'][number]

/** A key undoes where it is pressed: the title in its own field, everything else in the text. */
export type UndoTarget = 'text' | 'title'

interface StepDetails {
  /** Begins with the window's: two windows never give the same. */
  readonly id: string
  /** Who made it: the name that its window has among its neighbours. */
  readonly window: string
  /** Where it was made, in words: "Outline". '' for a text. */
  readonly where: string
  /** What it was, where that is more than letters: "12 replacements". */
  readonly label?: string
  /** When it was begun, in ms since 1970: what is done goes by it, and what is undone the other way round. */
  readonly at: number
  /** Absent where an older page of this browser made it. */
  readonly target?: UndoTarget
}

export interface UndoStep extends StepDetails {
  readonly insertions: StructRanges
  readonly deletions: StructRanges
}

/** What a step did, in words of the text. Undefined: nothing that has letters. */
export interface StepSummary {
  readonly label?: string
  readonly typed?: string
  readonly deleted?: string
}

const detailsKey = Symbol('step')

export const detailsOf = (item: StackItem): StepDetails | undefined =>
  item.meta.get(detailsKey) as StepDetails | undefined

export const undoTargetOf = (item: StackItem): UndoTarget => detailsOf(item)?.target ?? 'text'

export const setDetails = (item: StackItem, details: StepDetails): void =>
  void item.meta.set(detailsKey, details)

export function stepOf(item: StackItem): UndoStep | null {
  const details = detailsOf(item)
  const { insertions, deletions } = item
  return details
    ? { ...details, insertions: structRangesOf(insertions), deletions: structRangesOf(deletions) }
    : null
}

export function stackItemOf({ insertions, deletions, ...details }: UndoStep): StackItem {
  const item: StackItem = {
    insertions: deleteSetOf(insertions),
    deletions: deleteSetOf(deletions),
    meta: new Map(),
  }
  setDetails(item, details)
  return item
}

const MAX_SUMMARY_LENGTH = 40

/** @param item Before it is undone, or done again. */
export function stepSummaryOf(doc: Y.Doc, item: StackItem, direction: 'undo' | 'redo'): StepSummary {
  const { label } = detailsOf(item) ?? {}
  if (label) return { label }
  const { insertions, deletions } = item
  const presentText = shorten(textInRanges(doc, insertions, ({ deleted }) => !deleted))
  const deletedText = shorten(textInRanges(doc, deletions, ({ id }) => !Y.isDeleted(insertions, id)))
  const [typed, deleted] = direction === 'undo' ? [presentText, deletedText] : [deletedText, presentText]
  return { ...(typed && { typed }), ...(deleted && { deleted }) }
}

function shorten(text: string): string {
  const letters = Array.from(text.replaceAll(/\s+/g, ' ').trim())
  return letters.length > MAX_SUMMARY_LENGTH
    ? `${letters.slice(0, MAX_SUMMARY_LENGTH - 1).join('')}…`
    : letters.join('')
}
