/**
 * Runs Hocuspocus as its documentation recommends: its Server with its defaults, and its database extension. The extension stores by
 * node:sqlite with the statements of Hocuspocus's own SQLite extension, whose driver would have to be compiled; or in PostgreSQL, which
 * several processes can share.
 *
 *   DATA_DIR     the folder of the database
 *   DATABASE_URL a PostgreSQL in its place
 *   REDIS_URL    the Redis by which its Redis extension finds the other processes
 *   DEBOUNCE     ms from an edit to its being stored; 2000 is the default of Hocuspocus
 *   PAGE_SCRIPT  a script: every path answers with a page that runs it
 *   TELL_STORED  1: clients receive what is stored of their document, as a state vector; Hocuspocus itself sends nothing of that
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Database } from '@hocuspocus/extension-database'
import { Redis } from '@hocuspocus/extension-redis'
import { type Extension, Server } from '@hocuspocus/server'
import pg from 'pg'
import * as Y from 'yjs'

const { DATA_DIR = '.', DEBOUNCE = '2000', PAGE_SCRIPT = '', TELL_STORED = '' } = process.env
const { DATABASE_URL = '', REDIS_URL = '' } = process.env

interface Documents {
  fetch(name: string): Promise<Uint8Array | undefined>
  store(name: string, data: Uint8Array): Promise<void>
}

const tableOf = (bytes: string): string => `CREATE TABLE IF NOT EXISTS "documents" (
  "name" varchar(255) NOT NULL,
  "data" ${bytes} NOT NULL,
  UNIQUE(name)
)`

function openSqlite(): Documents {
  mkdirSync(DATA_DIR, { recursive: true })
  const database = new DatabaseSync(join(DATA_DIR, 'hocuspocus.sqlite'))
  database.exec(tableOf('blob'))
  const select = database.prepare('SELECT data FROM "documents" WHERE name = $name ORDER BY rowid DESC')
  const upsert = database.prepare(`INSERT INTO "documents" ("name", "data") VALUES ($name, $data)
    ON CONFLICT(name) DO UPDATE SET data = $data`)
  return {
    fetch: async (name) => (select.get({ name }) as { data: Uint8Array } | undefined)?.data,
    store: async (name, data) => void upsert.run({ name, data }),
  }
}

async function openPostgres(): Promise<Documents> {
  const pool = new pg.Pool({ connectionString: DATABASE_URL })
  await pool.query(tableOf('bytea'))
  return {
    async fetch(name) {
      const { rows } = await pool.query<{ data: Uint8Array }>(
        'SELECT data FROM "documents" WHERE name = $1',
        [name],
      )
      return rows[0]?.data
    },
    async store(name, data) {
      await pool.query(
        `INSERT INTO "documents" ("name", "data") VALUES ($1, $2) ON CONFLICT(name) DO UPDATE SET data = excluded.data`,
        [name, Buffer.from(data)],
      )
    },
  }
}

const documents = DATABASE_URL === '' ? openSqlite() : await openPostgres()

function redisAt(url: string): Redis {
  const { hostname, port } = new URL(url)
  return new Redis({ host: hostname, port: Number(port) })
}

/** The carets are styled as in Tiptap's documentation. */
const page = `<!doctype html>
<html lang="en">
<title>Tiptap</title>
<style>
  main { max-width: 42rem; margin: 2rem auto; font: 1rem/1.6 serif }
  .collaboration-carets__caret { border-left: 1px solid #0d0d0d; border-right: 1px solid #0d0d0d; margin-left: -1px;
    margin-right: -1px; pointer-events: none; position: relative; word-break: normal }
  .collaboration-carets__label { border-radius: 3px 3px 3px 0; color: #0d0d0d; font-size: 12px; font-style: normal;
    font-weight: 600; left: -1px; line-height: normal; padding: 0.1rem 0.3rem; position: absolute; top: -1.4em;
    user-select: none; white-space: nowrap }
</style>
<main></main>
<script type="module" src="/script.js"></script>`

/** Rejects without an error, because otherwise Hocuspocus answers the request itself. */
const pages = (script: Buffer): Extension => ({
  onRequest({ request, response }) {
    const isScript = request.url === '/script.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(isScript ? script : page)
    return Promise.reject()
  },
})

const server = new Server({
  address: '127.0.0.1',
  // Hocuspocus takes 0 as "not given".
  port: 0,
  quiet: true,
  debounce: Number(DEBOUNCE),
  extensions: [
    ...(PAGE_SCRIPT === '' ? [] : [pages(readFileSync(PAGE_SCRIPT))]),
    ...(REDIS_URL === '' ? [] : [redisAt(REDIS_URL)]),
    new Database({
      fetch: async ({ documentName }) => (await documents.fetch(documentName)) ?? null,
      store: async ({ documentName, document, state }) => {
        await documents.store(documentName, state)
        if (TELL_STORED === '1')
          document.broadcastStateless(Buffer.from(Y.encodeStateVector(document)).toString('base64'))
      },
    }),
  ],
})

await server.listen()
console.log(`http://localhost:${server.address.port} `)
