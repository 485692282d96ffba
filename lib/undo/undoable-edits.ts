/** Decides which transactions a person can undo, and what undoing may delete. */
import * as Y from 'yjs'

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

/** A paragraph that somebody else has written in stays, as with y-tiptap's own undo. */
export const mayDelete = ({ content }: Y.Item): boolean => {
  if (!(content instanceof Y.ContentType)) return true
  const { type } = content
  const isProtected =
    type instanceof Y.Text || (type instanceof Y.XmlElement && type.nodeName === 'paragraph')
  return !isProtected || (type as Y.Text | Y.XmlElement).length === 0
}
