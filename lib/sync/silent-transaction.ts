import * as Y from 'yjs'

export type UpdateListener = (
  update: Uint8Array,
  origin: unknown,
  doc: Y.Doc,
  transaction: Y.Transaction,
) => void

/**
 * One transaction of others' updates, which a listener need not hear: for any that does, Yjs writes down once more all that was
 * taken in, which of a long text takes nearly as long again. What observers write in answer is heard as ever.
 * @returns Whether it brought anything: whether the listener would have heard it.
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
        doc.on('beforeTransaction', addListener) // the next one, of an observer
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
