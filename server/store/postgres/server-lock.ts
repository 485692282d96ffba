/**
 * Lets either any number of nodes write in a database, or one program alone that needs it for itself, as an import does. A session lock
 * on a connection of its own says so, shared or not; the number in the table `fence` makes it certain: who takes the database alone
 * counts it up, and each transaction that writes first finds there the number it began with (fencing token). So a node that has lost its
 * lock without knowing it can commit nothing more once somebody had the database alone.
 */
import type pg from 'pg'
import {
  type ConnectionOptions,
  endConnection,
  NOT_DURABLE,
  withoutSecrets,
  openConnection,
} from './connections.ts'

export interface ServerLock {
  /** The number in the fence when the lock was taken. */
  readonly token: number
  /** The connection whose session holds the lock, until it is lost and replaced. */
  readonly client: pg.ClientBase
  /** Why nothing may be written now; null while the lock is held. */
  readonly lost: Error | null
  /** Is called when a transaction found another number in the fence. */
  giveUp(): void
  /** The tables are there: the next program may look at them. Until then it waits. */
  endOpening(): Promise<void>
  release(): Promise<void>
}

export type Fence = Pick<ServerLock, 'token' | 'lost' | 'giveUp'>

/** With others, or alone. */
export type LockMode = 'shared' | 'exclusive'

const TAKEN_OVER = 'Another program has taken over the database'

export interface ServerLockOptions extends ConnectionOptions {
  /** Shared by default. */
  readonly mode?: LockMode | undefined
  /** The lock is held, and the number is not counted up yet. One program at a time is here. */
  readonly onLocked: (client: pg.Client) => Promise<void>
  /** How long the lock of a server that has just ended is waited for. */
  readonly patienceMs?: number | undefined
  /** Another server has the database now. */
  readonly onGiveUp?: ((error: Error) => void) | undefined
}

/** First keys of advisory locks: the rooms in which their second keys are counted. Any numbers that nobody else uses. */
export const lockRooms = {
  server: 0x64_69_70_01,
  fence: 0x64_69_70_02,
  parts: 0x64_69_70_03,
  services: 0x64_69_70_04,
  compaction: 0x64_69_70_05,
  opening: 0x64_69_70_06,
  writers: 0x64_69_70_07,
}

/** The first table that a server makes in a new database. */
export const FENCE_TABLE = 'fence'

/** The session of a server that was killed a moment ago may not be over yet. */
const DEFAULT_PATIENCE_MS = 5_000
const ATTEMPT_INTERVAL_MS = 100
const LAST_RETRY_MS = 2_000
const HEARTBEAT_MS = 5_000

export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
  /** Its address without secrets. */
  readonly database: string

  constructor(url: string) {
    const database = withoutSecrets(url)
    super(`Another program uses the database ${database}`)
    this.database = database
  }
}

/** @throws {DatabaseInUse} while another program has it, of which one wants it alone. */
export const acquireServerLock = async (options: ServerLockOptions): Promise<ServerLock> => {
  const { mode = 'shared', onLocked, onGiveUp, log, patienceMs = DEFAULT_PATIENCE_MS } = options
  let lost: Error | null = null
  let released = false
  let retryTimer: NodeJS.Timeout | undefined

  const connect = async (): Promise<pg.Client> => {
    const opened = await openConnection(options, (error) => onLost(opened, error))
    return opened
  }

  const onLost = (lostClient: pg.Client, error: Error): void => {
    if (released || lost !== null || lostClient !== client) return
    lost = new Error('The connection that holds the lock of the database was lost', { cause: error })
    log?.error({ err: error }, 'the lock of the database was lost; nothing is written until it is held again')
    retry(ATTEMPT_INTERVAL_MS)
  }

  const retry = (wait: number) => {
    retryTimer = setTimeout(() => void reacquire(Math.min(LAST_RETRY_MS, 2 * wait)), wait)
  }

  const reacquire = async (nextWait: number): Promise<void> => {
    if (released) return
    try {
      client = await connect()
      const isHeld = await tryLock(client, mode)
      if ((await readToken(client)) !== token) return giveUp()
      if (!isHeld) throw new DatabaseInUse(options.url)
      lost = null
      log?.info('the lock of the database is held again')
    } catch (error) {
      log?.warn({ err: error }, 'the lock of the database is not held')
      await endConnection(client)
      retry(nextWait)
    }
  }

  const giveUp = () => {
    if (released) return
    released = true
    lost = new Error(TAKEN_OVER)
    clearTimeout(retryTimer)
    void endConnection(client)
    onGiveUp?.(new Error(TAKEN_OVER, { cause: 'the number in its fence is not this server’s' }))
  }

  let client = await connect()
  let token: number
  try {
    await waitForLock(client, mode, options.url, patienceMs)
    await client.query(`select pg_advisory_lock(${lockRooms.opening}, 0)`)
    await onLocked(client)
    token = await openFence(client, mode)
  } catch (error) {
    released = true
    await endConnection(client)
    throw error
  }
  const heartbeat = setInterval(() => {
    if (lost !== null) return
    const beaten = client
    beaten
      .query({ text: 'select 1', query_timeout: HEARTBEAT_MS } as pg.QueryConfig)
      .catch((error: Error) => {
        onLost(beaten, error)
        void endConnection(beaten)
      })
  }, HEARTBEAT_MS)

  return {
    get token() {
      return token
    },
    get client() {
      return client
    },
    get lost() {
      return lost
    },
    giveUp,
    async endOpening() {
      await client.query(`select pg_advisory_unlock(${lockRooms.opening}, 0)`)
    },
    async release() {
      released = true
      clearInterval(heartbeat)
      clearTimeout(retryTimer)
      await endConnection(client)
    },
  }
}

const tryLock = async (client: pg.Client, mode: LockMode): Promise<boolean> => {
  const tryToLock = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ held: boolean }>(
    `select ${tryToLock}(${lockRooms.server}, 0) as held`,
  )
  return rows[0]!.held
}

const waitForLock = async (
  client: pg.Client,
  mode: LockMode,
  url: string,
  patienceMs: number,
): Promise<void> => {
  const end = performance.now() + patienceMs
  while (!(await tryLock(client, mode))) {
    if (performance.now() > end) throw new DatabaseInUse(url)
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_INTERVAL_MS))
  }
}

/**
 * Counts the number up for a program that wants the database alone. It waits for every transaction that found the number of before, so
 * that none of them commits later than this.
 */
const openFence = async (client: pg.Client, mode: LockMode): Promise<number> => {
  await client.query(
    `create table if not exists ${FENCE_TABLE} (id bigint primary key, token bigint not null)`,
  )
  await client.query(`begin; select pg_advisory_xact_lock(${lockRooms.fence}, 0)`)
  const { rows } = await client.query<{ token: number }>(
    `insert into fence values (1, 1) on conflict (id)
     do update set token = fence.token + ${mode === 'exclusive' ? 1 : 0} returning token`,
  )
  await client.query('commit')
  return rows[0]!.token
}

const readToken = async (client: pg.Client): Promise<number | undefined> =>
  (await client.query<{ token: number }>('select token from fence')).rows[0]?.token

/** A transaction was not begun, or not committed, and the connection is as good as before. */
export class FenceError extends Error {
  override readonly name = 'FenceError'
}

/** PostgreSQL's code for a division by zero, which the fence makes of a number that is not the server's. */
export const DIVISION_BY_ZERO = '22012'

/**
 * What every transaction that writes begins with: it holds the fence, takes further locks, and fails in the server when it must not
 * write. Sends all of it before it returns, so that the transaction's statements may follow at once.
 */
export const beginFenced = async (
  client: pg.ClientBase,
  fence: Fence,
  furtherLocks: readonly string[] = [],
): Promise<void> => {
  if (fence.lost !== null) throw new FenceError(fence.lost.message)
  // Each statement sees what was committed before it began; so the number is read when the locks are held.
  const checks = [
    `select pg_advisory_xact_lock_shared(${lockRooms.fence}, 0)`,
    ...furtherLocks,
    `select 1 / (select coalesce(max((token = ${fence.token} and current_setting('synchronous_commit') <> 'off'
      and current_setting('fsync') <> 'off')::int), 0) from ${FENCE_TABLE})`,
  ]
  const answers = [client.query('begin'), client.query(checks.join(';'))]
  try {
    await Promise.all(answers)
  } catch (error) {
    await Promise.allSettled(answers)
    throw (error as { code?: string }).code === DIVISION_BY_ZERO ? await explainRefusal(client, fence) : error
  }
}

const explainRefusal = async (client: pg.ClientBase, fence: Fence): Promise<Error> => {
  await client.query('rollback')
  const { rows } = await client.query<{ token: number }>(`select token from ${FENCE_TABLE}`)
  if (rows[0]?.token === fence.token) return new FenceError(NOT_DURABLE)
  fence.giveUp()
  return new FenceError(TAKEN_OVER)
}
