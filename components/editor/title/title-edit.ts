/**
 * Converts a text field's edits into the smallest change of a shared text, and changes of the shared text into moves of a caret. Pure
 * functions.
 */
import { simpleDiffStringWithCursor } from 'lib0/diff'

export interface TextEdit {
  readonly index: number
  readonly remove: number
  readonly insert: string
}

/** Yjs's delta of an unformatted text. */
export type TextDelta = readonly {
  readonly retain?: number
  readonly insert?: unknown
  readonly delete?: number
}[]

/** @param caret The caret's position in `after`: it shows which of several equal letters was typed. */
export const editBetween = (before: string, after: string, caret: number): TextEdit =>
  simpleDiffStringWithCursor(before, after, caret - Math.max(0, after.length - before.length))

/** Maps a position of the old text into the new one. An insertion exactly at the position goes after it. */
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
