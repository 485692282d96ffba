/**
 * Lets one connection of a writer append at a time. Where a connection is cut, the server may read what it sent only after the writer has
 * looked for it over the next connection, and then the same edits would be stored a second time. So each connection holds a lock for as
 * long as its session lasts, and the next one ends the session before, whose transaction is committed or rolled back from then on.
 */
import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { destroyConnection } from './connections.ts'
import { lockRooms } from './server-lock.ts'

/** A session ends within this, or the database is as good as away. */
const SESSION_END_LIMIT_MS = 10_000

/** For each new connection of a pool, before it is used. PostgreSQL lets a role end its own sessions, also those that wait for the lock. */
export const createWriterLock = (): ((client: pg.ClientBase) => Promise<void>) => {
  const writer = randomInt(2 ** 31)
  return async (client) => {
    try {
      await client.query({
        text: `select pg_terminate_backend(pid) from pg_locks
               where locktype = 'advisory' and pid <> pg_backend_pid() and classid = ${lockRooms.writers} and objid = ${writer}
                 and database = (select oid from pg_database where datname = current_database());
               select pg_advisory_lock(${lockRooms.writers}, ${writer})`,
        query_timeout: SESSION_END_LIMIT_MS,
      } as pg.QueryConfig)
    } catch (error) {
      // The pool waits for the end of a connection, which may never be answered.
      destroyConnection(client)
      throw error
    }
  }
}
