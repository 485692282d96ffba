/** Opens connections to PostgreSQL, each with the settings that the store relies on. It knows no tables. */
import type { Socket } from 'node:net'
import pg from 'pg'
import type { Logger } from 'pino'
import { valueTypes } from './value-types.ts'

export interface ConnectionOptions {
  /** `postgres://…`, with a password. It is never logged. */
  readonly url: string
  readonly log?: Logger | undefined
}

/** A statement that has not ended by then is given up, and its connection with it. A large document is read within it. */
const STATEMENT_LIMIT_MS = 60_000
const CONNECT_LIMIT_MS = 10_000

/**
 * Ends what a dead client left: a transaction that is idle, a session whose computer is gone. Else their locks would keep the next
 * attempt, or the next server, waiting for hours.
 */
const sessionSettings = {
  idle_in_transaction_session_timeout: '10s',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  client_connection_check_interval: '2s',
  default_transaction_isolation: 'read\\ committed',
}

const clientConfig = (url: string): pg.ClientConfig => {
  const ownOptions = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`)
  const givenOptions = new URL(parsableUrl(url)).searchParams.get('options')
  return {
    connectionString: url,
    // The address's own come first; of two the last counts.
    options: [...(givenOptions ? [givenOptions] : []), ...ownOptions].join(' '),
    application_name: 'diptych',
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    query_timeout: STATEMENT_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: valueTypes,
    pipeline: true,
  }
}

/** `postgres://user@/database?host=/folder` is an address for PostgreSQL's own programs; a URL wants a host. */
const parsableUrl = (url: string): string => url.replace('@/', '@localhost/')

/** For messages and logs. */
export const withoutSecrets = (url: string): string => {
  const { protocol, host, pathname } = new URL(parsableUrl(url))
  return `${protocol}//${host}${pathname}`
}

export interface PoolOptions extends ConnectionOptions {
  /** Is awaited before a new connection is used; where it fails, the connection is not. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
}

export const openPool = ({ url, log, onConnect }: PoolOptions, max: number): pg.Pool => {
  const config = { ...clientConfig(url), max, idleTimeoutMillis: 60_000 }
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it; its types do not say so
  const pool = new pg.Pool(onConnect ? { ...config, onConnect } : config)
  // Of a connection that nobody uses: the next one is made when it is needed.
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle connection to the database was lost'))
  return pool
}

/** Opens a connection that stays. @param onLost Called once when it is over, also by `endConnection` or `destroyConnection`. */
export const openConnection = async (
  { url }: ConnectionOptions,
  onLost: (error: Error) => void,
): Promise<pg.Client> => {
  const client = new pg.Client(clientConfig(url))
  const lost = Promise.withResolvers<Error>()
  client.once('error', lost.resolve).once('end', () => lost.resolve(new Error('The connection was closed')))
  client.on('error', () => {})
  await client.connect()
  void lost.promise.then(onLost)
  return client
}

/** Says no goodbye. Everything under way fails. */
export const destroyConnection = (client: pg.ClientBase): void => {
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
}

/** How long a server that does not answer may take to say goodbye. */
const GOODBYE_LIMIT_MS = 1_000

export const endConnection = async (client: pg.Client): Promise<void> => {
  const timer = setTimeout(() => destroyConnection(client), GOODBYE_LIMIT_MS)
  await client.end().catch(() => {})
  clearTimeout(timer)
}

/** Names the cluster and the database in it: a dump that is restored elsewhere is another one. */
export const identityOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ identity: string }>(
    `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as identity
     from pg_control_system()`,
  )
  return rows[0]!.identity
}

interface ServerSettings {
  version: number
  encoding: string
  read_only: string
  synchronous_commit: string
  fsync: string
}

const OLDEST_VERSION = 15

/** @throws {Error} for a database in which the store could not keep its promises: one sentence. */
export const checkServer = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<ServerSettings>(`
    select current_setting('server_version_num')::int / 10000 as version,
           (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
           current_setting('transaction_read_only') as read_only,
           current_setting('synchronous_commit') as synchronous_commit,
           current_setting('fsync') as fsync`)
  const { version, encoding, read_only, synchronous_commit, fsync } = rows[0]!
  if (version < OLDEST_VERSION)
    throw new Error(`it is PostgreSQL ${version}, and ${OLDEST_VERSION} is the oldest that serves`)
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}, and UTF8 is needed`)
  if (read_only === 'on') throw new Error('it is read-only, as a replica is')
  if (synchronous_commit === 'off' || fsync === 'off') throw new Error(NOT_DURABLE)
}

export const NOT_DURABLE =
  'synchronous_commit or fsync is off, so that what it calls committed could be lost: set both to on'
