/**
 * Runs Kysely over PostgreSQL with what the code was written for on SQLite: the same column types, transactions one after the other,
 * and no write without the fence.
 */
import {
  type ColumnDefinitionNode,
  type CompiledQuery,
  type CreateTableNode,
  type DatabaseConnection,
  type DatabaseMetadataOptions,
  type DataTypeNode,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
  sql,
  type TableMetadata,
} from 'kysely'
import type pg from 'pg'
import { beginFenced, lockRooms } from './server-lock.ts'
import { type FencedPool, isRefusal, sendTransaction } from './transactions.ts'
import { toPostgresValue } from './value-types.ts'

/** Transactions of services take turns, as they do on SQLite: they count first and insert then. */
const LOCK_SERVICES = `select pg_advisory_xact_lock(${lockRooms.services}, 0)`

/** @param locks What a transaction of several statements takes first. */
export const createPostgresDialect = (
  fencedPool: FencedPool,
  locks: readonly string[] = [LOCK_SERVICES],
): Dialect => ({
  createDriver: () => new FencedDriver(fencedPool, locks),
  createQueryCompiler: () => new SqliteTypesCompiler(),
  createAdapter: () => new LockedAdapter(),
  createIntrospector: (db) => new OwnSchemaIntrospector(db),
})

/** Compiles the migrations, which are written in SQLite's types. Text is compared by its bytes, as in SQLite. */
class SqliteTypesCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(postgresTypes[node.dataType as keyof typeof postgresTypes] ?? node.dataType)
  }

  /** A raw type is one that SQLite has no name for: it holds text. */
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const dataType: DataTypeNode = { kind: 'DataTypeNode', dataType: 'text' }
    super.visitColumnDefinition(RawNode.is(node.dataType) ? { ...node, dataType } : node)
  }

  /** Leaves out `strict` and `without rowid`. */
  protected override visitCreateTable({ endModifiers: _sqliteModifiers, ...node }: CreateTableNode): void {
    super.visitCreateTable(node)
  }
}

const postgresTypes = { integer: 'bigint', blob: 'bytea', text: 'text collate "C"' }

/** Needs no lock for migrations: only the server that has the database's lock runs them. */
class LockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Sees the tables of its own schema alone. */
class OwnSchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>

  constructor(db: Kysely<unknown>) {
    super(db)
    this.#db = db
  }

  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(this.#db)
    return (await super.getTables(options)).filter(({ schema }) => schema === rows[0]?.name)
  }
}

class FencedConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  readonly #lock: FencedPool['lock']
  #isInTransaction = false
  /** Why the connection must not be used again. */
  failure: Error | undefined

  constructor(client: pg.PoolClient, lock: FencedPool['lock']) {
    this.client = client
    this.#lock = lock
    client.on('error', this.onError)
  }

  readonly onError = (error: Error): void => {
    this.failure = error
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isInTransaction || query.query.kind === 'SelectQueryNode') return this.#run(query)
    try {
      return await sendTransaction(this.client, this.#lock, [], () => this.#run<R>(query))
    } catch (error) {
      if (!isRefusal(error as Error)) this.failure = error as Error
      throw error
    }
  }

  async #run<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, command, rowCount } = await this.client.query(text, parameters.map(toPostgresValue))
    const isWrite = ['INSERT', 'UPDATE', 'DELETE'].includes(command)
    return { rows: rows as R[], ...(isWrite && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  // Kysely asks for a generator; this one only throws.
  // eslint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not offered, since SQLite’s store does not offer it')
  }

  async begin(locks: readonly string[]): Promise<void> {
    this.#isInTransaction = true
    try {
      await beginFenced(this.client, this.#lock, locks)
    } catch (error) {
      await this.end('rollback')
      throw error
    }
  }

  async end(command: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false
    try {
      const { command: done } = await this.client.query(command)
      if (done.toLowerCase() !== command) throw new Error('The transaction was rolled back')
    } catch (error) {
      // What the server thinks of the transaction is unknown: it rolls back when the connection ends.
      this.failure = error as Error
      if (command === 'commit') throw error
    }
  }
}

class FencedDriver implements Driver {
  readonly #fencedPool: FencedPool
  readonly #locks: readonly string[]

  constructor(fencedPool: FencedPool, locks: readonly string[]) {
    this.#fencedPool = fencedPool
    this.#locks = locks
  }

  async init() {}

  async acquireConnection() {
    const { pool, lock } = this.#fencedPool
    return new FencedConnection(await pool.connect(), lock)
  }

  beginTransaction(connection: FencedConnection) {
    return connection.begin(this.#locks)
  }

  commitTransaction(connection: FencedConnection) {
    return connection.end('commit')
  }

  rollbackTransaction(connection: FencedConnection) {
    return connection.end('rollback')
  }

  async releaseConnection({ client, failure, onError }: FencedConnection) {
    client.off('error', onError)
    client.release(failure)
  }

  /** The store closes the pool. */
  async destroy() {}
}
