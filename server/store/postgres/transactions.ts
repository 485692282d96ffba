/** Runs a transaction on a connection of the pool, and tells what is known of its outcome when it fails. */
import type pg from 'pg'
import { ReplyLostError } from '../group-commit.ts'
import { destroyConnection } from './connections.ts'
import { beginFenced, type Fence, FenceError } from './server-lock.ts'

/** A transaction that takes longer is given up with its connection: the network may be gone without a word. */
const TRANSACTION_LIMIT_MS = 10_000

export interface FencedPool {
  readonly pool: pg.Pool
  readonly lock: Fence
}

/**
 * Runs a transaction step by step.
 * @param locks Statements that take further locks, before the first one of `run`.
 * @throws {ReplyLostError} when the transaction may be committed or not. After any other error it is not.
 */
export const runTransaction = <T>(
  { pool, lock }: FencedPool,
  locks: readonly string[],
  run: (client: pg.ClientBase) => Promise<T>,
  limitMs = TRANSACTION_LIMIT_MS,
): Promise<T> =>
  withClient(pool, limitMs, async (client, onClean) => {
    await beginFenced(client, lock, locks)
    const result = await run(client)
    await commit(client)
    onClean()
    return result
  })

/** Does the same in one round trip. @param send Sends all its statements before it returns. */
export const runTransactionAtOnce = <T>(
  { pool, lock }: FencedPool,
  locks: readonly string[],
  send: (client: pg.ClientBase) => Promise<T>,
): Promise<T> =>
  withClient(pool, TRANSACTION_LIMIT_MS, async (client, onClean) => {
    try {
      const result = await sendTransaction(client, lock, locks, send)
      onClean()
      return result
    } catch (error) {
      if (isRefusal(error as Error)) onClean()
      throw error
    }
  })

/**
 * Sends a transaction as a whole. After a statement that fails the server answers the commit with a rollback, and the connection
 * can be used again.
 * @param send Sends all its statements before it returns.
 */
export const sendTransaction = async <T>(
  client: pg.ClientBase,
  fence: Fence,
  locks: readonly string[],
  send: (client: pg.ClientBase) => Promise<T>,
): Promise<T> => {
  // Must come before the first statement is sent: without a beginning each of them would be a transaction.
  if (fence.lost !== null) throw new FenceError(fence.lost.message)
  const answers = await Promise.allSettled([beginFenced(client, fence, locks), send(client), commit(client)])
  for (const answer of answers) if (answer.status === 'rejected') throw outcomeOf(answer.reason as Error)
  return (answers[1] as PromiseFulfilledResult<T>).value
}

const withClient = async <T>(
  pool: pg.Pool,
  limitMs: number,
  run: (client: pg.ClientBase, onClean: () => void) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  let isClean = false
  // Makes the statement under way fail, and the server roll back.
  const timer = setTimeout(() => destroyConnection(client), limitMs)
  // A connection that breaks between two statements makes the next one fail.
  const ignore = () => {}
  client.on('error', ignore)
  try {
    return await run(client, () => (isClean = true))
  } finally {
    clearTimeout(timer)
    client.off('error', ignore)
    // The server rolls back what an unclean connection has open.
    client.release(!isClean)
  }
}

const commit = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('commit').catch((error: Error) => {
    throw outcomeOf(error)
  })
  if (command !== 'COMMIT') throw new FenceError('The transaction was rolled back')
}

interface ServerError extends Error {
  readonly severity?: string
  readonly code?: string
}

const outcomeOf = (error: Error): Error =>
  isRefusal(error) || error instanceof ReplyLostError
    ? error
    : new ReplyLostError('The answer to a commit was lost', { cause: error })

/** True when the server answered that it did not do it, and its session goes on. */
export const isRefusal = (error: ServerError): boolean =>
  error instanceof FenceError || error.severity === 'ERROR'

/** True for a fault of what was offered (data, a rule of the tables, a limit), false for a fault of the database. */
export const isFaultOfData = ({ code = '' }: ServerError): boolean =>
  ['22', '23', '54'].includes(code.slice(0, 2))
