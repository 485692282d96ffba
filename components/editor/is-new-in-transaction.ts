import type * as Y from 'yjs'

/** Whether this transaction added the node. */
export function isNewInTransaction(
  { _item: item }: Y.XmlElement | Y.XmlText,
  { beforeState }: Y.Transaction,
): boolean {
  return item !== null && item.id.clock >= (beforeState.get(item.id.client) ?? 0)
}
