/**
 * Runs Kysely over the worker's connection. A transaction makes other statements wait, and everybody once it has written: never await the
 * store inside one.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { StoreConnection } from './store-connection.ts'

export const createWorkerDialect = (connection: StoreConnection): Dialect => ({
  createDriver: () => new WorkerDriver(connection),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new TransactionalSqliteAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** Lets all migrations run in one transaction: SQLite's DDL is transactional, though Kysely's own adapter does not rely on it. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

let lastTransaction = 0

/** Any number of these may exist: the worker schedules their requests. */
class WorkerConnection implements DatabaseConnection {
  readonly #connection: StoreConnection
  #transaction: number | undefined

  constructor(connection: StoreConnection) {
    this.#connection = connection
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, changes, lastInsertRowid } = await this.#connection.request('query', {
      sql,
      parameters: parameters.map(toSqliteValue),
      transaction: this.#transaction,
    })
    return { rows: rows as R[], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  // Kysely asks for a generator; this one only throws.
  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered: a reader that pauses would stop every writer')
  }

  async begin() {
    const transaction = ++lastTransaction
    await this.#connection.request('begin', { transaction })
    this.#transaction = transaction
  }

  async end(kind: 'commit' | 'rollback') {
    const transaction = this.#transaction
    this.#transaction = undefined
    if (transaction !== undefined) await this.#connection.request(kind, { transaction })
  }
}

/** Converts values that node:sqlite refuses into SQLite's own. */
const toSqliteValue = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.toISOString()
  return value === undefined ? null : value
}

class WorkerDriver implements Driver {
  readonly #connection: StoreConnection

  constructor(connection: StoreConnection) {
    this.#connection = connection
  }

  async init() {}

  async acquireConnection() {
    return new WorkerConnection(this.#connection)
  }

  async beginTransaction(connection: WorkerConnection) {
    await connection.begin()
  }

  async commitTransaction(connection: WorkerConnection) {
    await connection.end('commit')
  }

  async rollbackTransaction(connection: WorkerConnection) {
    await connection.end('rollback')
  }

  async releaseConnection() {}

  /** The store closes its own connection. */
  async destroy() {}
}
