/**
 * Whose turn it is on the one connection. Between `begin` and the end of a transaction only its own requests run and all others
 * wait; one that is silent for too long is rolled back, so that nobody's forgetfulness stops the store.
 * Knows ids and order; does not know SQL.
 */

export interface Turn {
  readonly kind: string
  readonly transaction?: number | undefined
}

/** A client that is awaited for this long by everybody else has forgotten its transaction, or waits for us. */
export const SILENT_TRANSACTION_MS = 5000

export interface Turns<T extends Turn> {
  take(request: T): void
}

/**
 * @param run Runs a request; true when a transaction that it belongs to is open afterwards.
 * @param rollBack Ends the open transaction, whose client was silent.
 */
export const createTurns = <T extends Turn>(
  run: (request: T, isOpen: boolean) => boolean,
  rollBack: () => void,
  silentMs: number = SILENT_TRANSACTION_MS,
): Turns<T> => {
  const waiting: T[] = []
  let open: { transaction: number; timer: NodeJS.Timeout } | undefined

  const close = () => {
    clearTimeout(open?.timer)
    open = undefined
  }

  const expire = () => {
    close()
    rollBack()
    next()
  }

  const perform = (request: T) => {
    const { transaction } = request
    const stays = run(request, transaction !== undefined && transaction === open?.transaction)
    if (transaction === undefined || (open !== undefined && open.transaction !== transaction)) return
    close()
    if (stays) open = { transaction, timer: setTimeout(expire, silentMs) }
  }

  /** A request of a transaction that is over runs at once, to be told so. */
  const mustWait = (request: T) =>
    open !== undefined &&
    open.transaction !== request.transaction &&
    (request.transaction === undefined || request.kind === 'begin')

  const next = () => {
    while (open === undefined && waiting.length > 0) perform(waiting.shift()!)
  }

  return {
    take(request) {
      if (mustWait(request)) return void waiting.push(request)
      perform(request)
      next()
    },
  }
}
