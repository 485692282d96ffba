import * as Y from 'yjs'

export type UpdateListener = (
  update: Uint8Array,
  origin: unknown,
  doc: Y.Doc,
  transaction: Y.Transaction,
) => void

/**
 * Applies remote updates in one transaction of which `listener` is not notified. For any update listener, Yjs encodes once more all that
 * was applied, which nearly doubles the time for a long text. The listener does receive what observers write in answer.
 * @returns Whether the transaction changed anything: whether the listener would have been called.
 */
export function transactSilently(
  doc: Y.Doc,
  listener: UpdateListener,
  origin: object,
  run: () => void,
): boolean {
  let ownTransaction: Y.Transaction | undefined
  const addListener = (): void => void doc.on('update', listener)
  doc.off('update', listener)
  try {
    Y.transact(
      doc,
      (transaction) => {
        ownTransaction = transaction
        doc.on('beforeTransaction', addListener) // the next transaction, of an observer
        run()
      },
      origin,
      false,
    )
  } finally {
    doc.off('beforeTransaction', addListener)
    addListener()
  }
  return ownTransaction !== undefined && hasChanges(ownTransaction)
}

const hasChanges = ({ deleteSet, beforeState, afterState }: Y.Transaction): boolean =>
  deleteSet.clients.size > 0 || [...afterState].some(([client, clock]) => beforeState.get(client) !== clock)
