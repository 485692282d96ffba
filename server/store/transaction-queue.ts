/**
 * Schedules requests on the one connection. Between `begin` and the end of a transaction the services' other statements wait. Requests for
 * documents, edits on their way to the disk among them, wait only once the transaction has written: SQLite's own begins with its first
 * statement that may write. A transaction that is idle for too long is rolled back, so that a client that forgets it cannot stop the store.
 * It knows ids and order; it does not know SQL.
 */

export interface TransactionRequest {
  readonly kind: string
  readonly transaction?: number | undefined
}

/** What a request leaves of its transaction. */
export type TransactionPhase = 'reading' | 'writing' | 'over'

/** They touch tables that no transaction reads before it writes, and bring transactions of their own. */
const documentKinds: ReadonlySet<string> = new Set([
  'append',
  'write piece',
  'compact',
  'remove unused pieces',
  'check',
])

/** A client that is idle for so long has forgotten its transaction, or waits for the store itself. */
export const IDLE_TRANSACTION_MS = 5000

export interface TransactionQueue<T extends TransactionRequest> {
  submit(request: T): void
}

interface OpenTransaction {
  readonly transaction: number
  readonly phase: TransactionPhase
  readonly timer: NodeJS.Timeout
}

/**
 * @param run Runs a request. @param isOpen True if its transaction is the open one.
 * @param rollBack Ends the open transaction of an idle client.
 */
export const createTransactionQueue = <T extends TransactionRequest>(
  run: (request: T, isOpen: boolean) => TransactionPhase,
  rollBack: () => void,
  idleTimeoutMs: number = IDLE_TRANSACTION_MS,
): TransactionQueue<T> => {
  const waiting: T[] = []
  let open: OpenTransaction | undefined

  const clearOpen = () => {
    clearTimeout(open?.timer)
    open = undefined
  }

  const onIdleTimeout = () => {
    clearOpen()
    rollBack()
    runWaiting()
  }

  const runRequest = (request: T) => {
    const { transaction } = request
    const phase = run(request, transaction !== undefined && transaction === open?.transaction)
    if (transaction === undefined || (open !== undefined && open.transaction !== transaction)) return
    clearOpen()
    if (phase !== 'over') open = { transaction, phase, timer: setTimeout(onIdleTimeout, idleTimeoutMs) }
  }

  /** A request of a transaction that is over runs at once, so that it fails. */
  const mustWait = ({ kind, transaction }: T): boolean => {
    if (open === undefined || open.transaction === transaction) return false
    if (transaction !== undefined) return kind === 'begin'
    return open.phase === 'writing' || !documentKinds.has(kind)
  }

  const runWaiting = () => {
    for (;;) {
      const next = waiting.findIndex((request) => !mustWait(request))
      if (next === -1) return
      for (const request of waiting.splice(next, 1)) runRequest(request)
    }
  }

  return {
    submit(request) {
      if (mustWait(request)) return void waiting.push(request)
      runRequest(request)
      runWaiting()
    },
  }
}
