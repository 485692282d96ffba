/**
 * Schedules requests on the one connection. Between `begin` and the end of a transaction only its own requests run and all others
 * wait; a transaction that is idle for too long is rolled back, so that a client that forgets it cannot stop the store. It knows
 * ids and order; it does not know SQL.
 */

export interface TransactionRequest {
  readonly kind: string
  readonly transaction?: number | undefined
}

/** A client that is idle for so long has forgotten its transaction, or waits for the store itself. */
export const IDLE_TRANSACTION_MS = 5000

export interface TransactionQueue<T extends TransactionRequest> {
  submit(request: T): void
}

/**
 * @param run Runs a request; returns true when its transaction is open afterwards.
 * @param rollBack Ends the open transaction of an idle client.
 */
export const createTransactionQueue = <T extends TransactionRequest>(
  run: (request: T, isOpen: boolean) => boolean,
  rollBack: () => void,
  idleTimeoutMs: number = IDLE_TRANSACTION_MS,
): TransactionQueue<T> => {
  const waiting: T[] = []
  let openTransaction: { transaction: number; timer: NodeJS.Timeout } | undefined

  const clearOpenTransaction = () => {
    clearTimeout(openTransaction?.timer)
    openTransaction = undefined
  }

  const onIdleTimeout = () => {
    clearOpenTransaction()
    rollBack()
    runWaiting()
  }

  const runRequest = (request: T) => {
    const { transaction } = request
    const remainsOpen = run(
      request,
      transaction !== undefined && transaction === openTransaction?.transaction,
    )
    if (
      transaction === undefined ||
      (openTransaction !== undefined && openTransaction.transaction !== transaction)
    )
      return
    clearOpenTransaction()
    if (remainsOpen) openTransaction = { transaction, timer: setTimeout(onIdleTimeout, idleTimeoutMs) }
  }

  /** A request of a transaction that is over runs at once, so that it fails. */
  const mustWait = (request: T) =>
    openTransaction !== undefined &&
    openTransaction.transaction !== request.transaction &&
    (request.transaction === undefined || request.kind === 'begin')

  const runWaiting = () => {
    while (openTransaction === undefined && waiting.length > 0) runRequest(waiting.shift()!)
  }

  return {
    submit(request) {
      if (mustWait(request)) return void waiting.push(request)
      runRequest(request)
      runWaiting()
    },
  }
}
