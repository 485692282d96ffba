/** Opens access over a real store in its own folder, for tests. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { type Environment, readConfig } from '../config.ts'
import { isTestedOnPostgres, openTestStore } from '../store/fixtures/test-store.ts'
import type { Database } from '../store/schema.ts'
import { type AccessRequest, isAccessRefusal } from './access.ts'
import { createAccessRateLimits } from './access-rate-limits.ts'
import { createAccess } from './create-access.ts'
import type { Principal } from './principal.ts'

export const ORIGIN = 'http://localhost:3000'

export const silentLogger = pino({ level: 'silent' })

/** @param options `environment` sets the limits. */
export async function openAccessFixture(options: { hosts?: string[]; environment?: Environment } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'diptych-access-'))
  const testStore = await openTestStore(dataDir)
  const { store, database } = testStore
  const clock = { at: 0, now: () => clock.at }
  const rateLimits = createAccessRateLimits(readConfig(options.environment ?? {}), clock)
  const access = await createAccess({
    db: store.db,
    log: silentLogger,
    dataDir,
    allowedOrigins: ['https://docs.example.com'],
    rateLimits,
    ...(options.hosts && { hosts: options.hosts }),
  })

  /** Creates somebody with a cookie, as the first page issues it, who is not in the database yet. */
  async function issueUnstoredGuest(secure = false): Promise<{ principal: Principal; cookie: string }> {
    const guest = await access.issueOrRenewGuest(accessRequest({ secure }))
    if (!guest) throw new Error('no guest was made')
    return { principal: guest.principal, cookie: guest.cookie }
  }

  /** Creates somebody whose browser has run a page's script and who has been welcomed. */
  async function createPerson(secure = false): Promise<{ principal: Principal; cookie: string }> {
    const { principal, cookie } = await issueUnstoredGuest(secure)
    const origin = secure ? ORIGIN.replace('http:', 'https:') : ORIGIN
    const admitted = await access.admit(accessRequest({ secure, origin, cookie }))
    if (isAccessRefusal(admitted)) throw new Error(admitted.message)
    const id = principal.id.slice('user:'.length)
    await store.db.updateTable('user').set({ welcomed: '' }).where('id', '=', id).execute()
    return { principal, cookie }
  }

  async function createDocument(owner: Principal): Promise<string> {
    const id = newDocumentId()
    const now = Date.now()
    await store.db
      .insertInto('documents')
      .values({ id, owner: owner.id, created_at: now, updated_at: now })
      .execute()
    return id
  }

  /** Presents a link's token as a program does. */
  async function admitLinkToken(token: string): Promise<Principal> {
    const answer = await access.admit(accessRequest({ authorization: `Bearer ${token}` }))
    if (isAccessRefusal(answer)) throw new Error(answer.message)
    return answer
  }

  /** Returns all that is stored: the files of the data folder, and the tables that are not among them. */
  async function readStored(): Promise<Buffer> {
    const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name))))
    return Buffer.concat([...files, ...(isTestedOnPostgres ? await readTables(store.db) : [])])
  }

  return {
    access,
    /** The clock of the limits, in milliseconds. */
    clock,
    db: store.db,
    store: store.documents,
    dataDir,
    database,
    issueUnstoredGuest,
    createPerson,
    createDocument,
    admitLinkToken,
    readStored,
    async [Symbol.asyncDispose]() {
      await testStore[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function readTables(db: Kysely<Database>): Promise<Buffer[]> {
  const tables = await db.introspection.getTables()
  const selected = tables.map(({ name }) => sql<Record<string, unknown>>`select * from ${sql.table(name)}`)
  const rows = (await Promise.all(selected.map((query) => query.execute(db)))).flatMap(
    (result) => result.rows,
  )
  return rows
    .flatMap((row) => Object.entries(row).flat())
    .map((value) => (value instanceof Buffer ? value : Buffer.from(String(value))))
}

export type AccessFixture = Awaited<ReturnType<typeof openAccessFixture>>

export function accessRequest(headers: {
  method?: string
  secure?: boolean
  peer?: string
  [header: string]: string | boolean | undefined
}): AccessRequest {
  const { method = 'POST', secure = false, peer = '127.0.0.1', ...rest } = headers
  const presentHeaders = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { method, secure, peer, headers: { host: 'localhost:3000', ...Object.fromEntries(presentHeaders) } }
}
