/**
 * Hocuspocus as its documentation recommends: its Server with its defaults, documents kept by its database extension. That one
 * is given node:sqlite and the statements of Hocuspocus's own SQLite extension, whose driver would have to be compiled.
 *
 *   DATA_DIR     where the database goes
 *   DEBOUNCE     ms from an edit to its being stored; 2000 is the default of Hocuspocus
 *   TELL_STORED  1: whoever has a document open is told what of it is stored, as a state vector. By itself Hocuspocus tells nobody.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Database } from '@hocuspocus/extension-database'
import { Server } from '@hocuspocus/server'
import * as Y from 'yjs'

const { DATA_DIR = '.', DEBOUNCE = '2000', TELL_STORED = '' } = process.env

mkdirSync(DATA_DIR, { recursive: true })
const database = new DatabaseSync(join(DATA_DIR, 'hocuspocus.sqlite'))
database.exec(`CREATE TABLE IF NOT EXISTS "documents" (
  "name" varchar(255) NOT NULL,
  "data" blob NOT NULL,
  UNIQUE(name)
)`)
const select = database.prepare('SELECT data FROM "documents" WHERE name = $name ORDER BY rowid DESC')
const upsert = database.prepare(`INSERT INTO "documents" ("name", "data") VALUES ($name, $data)
  ON CONFLICT(name) DO UPDATE SET data = $data`)

const server = new Server({
  address: '127.0.0.1',
  // It takes 0 for "not given".
  port: 0,
  quiet: true,
  debounce: Number(DEBOUNCE),
  extensions: [
    new Database({
      fetch: async ({ documentName }) => {
        const row = select.get({ name: documentName }) as { data: Uint8Array } | undefined
        return row?.data ?? null
      },
      store: async ({ documentName, document, state }) => {
        upsert.run({ name: documentName, data: state })
        if (TELL_STORED === '1')
          document.broadcastStateless(Buffer.from(Y.encodeStateVector(document)).toString('base64'))
      },
    }),
  ],
})

await server.listen()
console.log(`http://localhost:${server.address.port} `)
