/** Decides which transactions a person can undo, and what undoing may delete. */
import * as Y from 'yjs'
import { namesPlace } from '../blocks/table/table-columns.ts'

/** Makes Yjs track every origin in this window: the editor, the title, a panel. */
export class AnyOrigin extends Set<unknown> {
  override has(): boolean {
    return true
  }
}

export const isUndoable = (transaction: Y.Transaction): boolean =>
  transaction.local && transaction.meta.get('addToHistory') !== false && !isFormattingCleanup(transaction)

/** After remote formatting Yjs deletes superfluous marks, in a transaction that looks like an edit made here. */
export function isFormattingCleanup(transaction: Y.Transaction): boolean {
  if (transaction.origin !== null) return false
  const { beforeState, afterState, deleteSet } = transaction
  if ([...afterState].some(([client, clock]) => beforeState.get(client) !== clock)) return false
  let onlyMarks = true
  Y.iterateDeletedStructs(transaction, deleteSet, (item) => {
    if (!(item instanceof Y.Item) || !(item.content instanceof Y.ContentFormat)) onlyMarks = false
  })
  return onlyMarks
}

/** Others may have changed a table by these names of its columns since. */
export const isColumnName = ({ parentSub, content }: Y.Item): boolean =>
  parentSub !== null && content instanceof Y.ContentAny && namesPlace(parentSub, content.arr[0])

/** A block that somebody else has written in stays: what a step itself wrote there is deleted before the block around it. */
export const mayDelete = ({ content }: Y.Item): boolean =>
  !(content instanceof Y.ContentType) || lengthOf(content.type) === 0

const lengthOf = (type: Y.AbstractType<unknown>): number =>
  type instanceof Y.Text || type instanceof Y.XmlFragment ? type.length : 0

/**
 * Whether two pieces of a text may stand for some of the same letters, one of them in a copy. A text and its copy are cut in different places:
 * one where another author's letters begin, the other where something was written between them. And letters may have been deleted before the
 * others were copied.
 */
export const mayShareLetters = (text: string, other: string): boolean =>
  isSubsequence(text, other) ||
  isSubsequence(other, text) ||
  endsInStart(text, other) ||
  endsInStart(other, text)

/** Whether the letters of the first are all in the second, in their order. */
function isSubsequence(letters: string, text: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + letter.length
  }
  return true
}

function endsInStart(text: string, other: string): boolean {
  for (let length = Math.min(text.length, other.length); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return true
  return false
}
