/** One step of undo: what an edit inserted and deleted, and its details. It has a form for the stack and one for messages. */
import * as Y from 'yjs'
import { textInRanges, type StructRanges, structRangesOf, deleteSetOf } from './struct-ranges.ts'

export type StackItem = Y.UndoManager['undoStack'][number]

/** A key undoes where it is pressed: the title in its own field, everything else in the text. */
export type UndoTarget = 'text' | 'title'

interface StepDetails {
  /** Begins with the window's id, so that two windows never make the same one. */
  readonly id: string
  /** The window that made it, by its name among its neighbours. */
  readonly window: string
  /** The window's place in words: "Outline". '' for a text. */
  readonly where: string
  /** What the step was, where that is more than letters: "12 replacements". */
  readonly label?: string
  /** When the step began, in ms since 1970. Done steps are in this order, undone ones in the reverse order. */
  readonly at: number
  /** Absent in a step of an older page of this browser. */
  readonly target?: UndoTarget
}

export interface UndoStep extends StepDetails {
  readonly insertions: StructRanges
  readonly deletions: StructRanges
}

/** What a step did, in words of the text. Undefined where it concerns no letters. */
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

/** @param item As it is before it is undone or redone. */
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
