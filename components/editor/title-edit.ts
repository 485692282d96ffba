/** A text field's edits as the smallest change of a shared text, and the shared text's changes as moves of a caret. Pure. */
import { simpleDiffStringWithCursor } from 'lib0/diff'

export interface TextEdit {
  readonly index: number
  readonly remove: number
  readonly insert: string
}

/** Yjs's delta of a text without formatting. */
export type TextDelta = readonly {
  readonly retain?: number
  readonly insert?: unknown
  readonly delete?: number
}[]

/** @param caret Where the caret stands in `after`: it tells which of several equal letters was typed. */
export const editBetween = (before: string, after: string, caret: number): TextEdit =>
  simpleDiffStringWithCursor(before, after, caret - Math.max(0, after.length - before.length))

/** Where a position of the old text lies in the new one. An insertion at the very position leaves it in front. */
export function mapPosition(position: number, delta: TextDelta): number {
  let [consumed, newPosition] = [0, position]
  for (const operation of delta) {
    if (consumed >= position) break
    if (operation.retain) consumed += operation.retain
    else if (operation.delete) {
      newPosition -= Math.min(operation.delete, position - consumed)
      consumed += operation.delete
    } else newPosition += String(operation.insert).length
  }
  return newPosition
}
