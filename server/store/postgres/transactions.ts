/** Runs a transaction on a connection of the pool, and tells what is known of its outcome when it fails. */
import type pg from 'pg'
import { ReplyLostError } from '../document-store.ts'
import { beginFenced, type Fence } from './server-lock.ts'

/** A transaction that takes longer is given up with its connection: the network may be gone without a word. */
const TRANSACTION_LIMIT_MS = 10_000

export interface FencedPool {
  readonly pool: pg.Pool
  readonly lock: Fence
}

/**
 * @param locks Statements that take further locks, before the first one of `run`.
 * @throws {ReplyLostError} when the transaction may be committed or not. After any other error it is not.
 */
export const runTransaction = async <T>(
  { pool, lock }: FencedPool,
  locks: readonly string[],
  run: (client: pg.ClientBase) => Promise<T>,
  limitMs = TRANSACTION_LIMIT_MS,
): Promise<T> => {
  const client = await pool.connect()
  let isReleased = false
  const release = (error?: Error) => {
    clearTimeout(timer)
    if (!isReleased) client.release(error)
    isReleased = true
  }
  // Ends the connection, so that the statement under way fails, and the server rolls back.
  const timer = setTimeout(() => release(new Error(`It took longer than ${limitMs / 1000} s`)), limitMs)
  // A connection that breaks between two statements makes the next one fail.
  const ignore = () => {}
  client.on('error', ignore)
  try {
    await beginFenced(client, lock, locks)
    const result = await run(client)
    await commit(client)
    client.off('error', ignore)
    release()
    return result
  } catch (error) {
    client.off('error', ignore)
    // The next one finds a fresh connection; this one's transaction is rolled back by the server.
    release(error as Error)
    throw error
  }
}

const commit = async (client: pg.ClientBase): Promise<void> => {
  const { command } = await client.query('commit').catch((error: Error) => {
    throw isRefusal(error) ? error : new ReplyLostError('The answer to a commit was lost', { cause: error })
  })
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
}

interface ServerError extends Error {
  readonly severity?: string
  readonly code?: string
}

/** True when the server answered that it did not do it, and its session goes on. */
const isRefusal = ({ severity }: ServerError): boolean => severity === 'ERROR'

/** True for a fault of what was offered (data, a rule of the tables, a limit), false for a fault of the database. */
export const isFaultOfData = ({ code = '' }: ServerError): boolean =>
  ['22', '23', '54'].includes(code.slice(0, 2))
