/** What a store on PostgreSQL finds when it opens its database: bad settings, other versions, a restored backup. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  leaseDatabase,
  runInDatabase,
  type TestDatabase,
  unusedDatabase,
} from './fixtures/postgres-databases.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { textEdit, textsOf } from './fixtures/text-edits.ts'
import { latestMigration } from './migrations/index.ts'
import { openPostgresStore } from './postgres.ts'

const TABLES = `select relname from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by relname`

const readColumn = async (url: string, query: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' })
  await client.end()
  return rows.map(([value]) => value)
}

describePostgres('opening a store on PostgreSQL', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await createStoreFolder()
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  const open = (url: string) => openPostgresStore({ url, dataDir, patienceMs: 1_000 })
  const refusalOf = (url: string): Promise<string> =>
    open(url).then(
      async ({ close }) => close().then(() => 'it was opened'),
      (error: Error) => error.message,
    )

  describe('what cannot be used is refused in one sentence without the password', () => {
    let database: Awaited<ReturnType<typeof unusedDatabase>>
    beforeEach(async () => {
      database = await unusedDatabase()
    })
    afterEach(() => runInDatabase(database.superuserUrl, `drop database if exists ${database.name}`))
    const create = (...statements: string[]) => runInDatabase(database.superuserUrl, ...statements)
    /** Over TCP PostgreSQL asks for a password. */
    const addressOver = (host: string, port = new URL(database.url).port) =>
      `postgres://someone:secret-word@${host}:${port}/${database.name}`

    test('a host that nobody listens at, and one that does not exist', async () => {
      expect(await refusalOf(addressOver('127.0.0.1', '1'))).toBe(
        `The database postgres://127.0.0.1:1/${database.name} cannot be opened: connect ECONNREFUSED 127.0.0.1:1.`,
      )
      expect(await refusalOf(addressOver('localhost', '1'))).toMatch(
        /cannot be opened: connect ECONNREFUSED .*:1\.$/,
      )
      const unknown = await refusalOf(addressOver('nowhere.invalid'))
      expect(unknown).toMatch(
        /^The database postgres:\/\/nowhere\.invalid:\d+\/test_\w+ cannot be opened: getaddrinfo /,
      )
      expect(unknown).not.toContain('secret')
    })

    test('a wrong password', async () => {
      const refusal = await refusalOf(addressOver('127.0.0.1'))
      expect(refusal).toMatch(/cannot be opened: password authentication failed for user "someone"\.$/)
      expect(refusal).not.toContain('secret')
    })

    test('a database that does not exist', async () => {
      expect(await refusalOf(database.url)).toContain(
        `cannot be opened: database "${database.name}" does not exist.`,
      )
    })

    test.each<[what: string, creation: string[], refusal: string]>([
      [
        'another encoding',
        [`create database NAME template template0 encoding 'LATIN1'`],
        'its encoding is LATIN1, and UTF8 is needed',
      ],
      [
        'a read-only one',
        ['create database NAME', 'alter database NAME set default_transaction_read_only = on'],
        'it is read-only, as a replica is',
      ],
      [
        'one that does not sync',
        ['create database NAME', 'alter database NAME set synchronous_commit = off'],
        'synchronous_commit or fsync is off',
      ],
    ])('%s', async (_what, creation, refusal) => {
      await create(...creation.map((statement) => statement.replace('NAME', database.name)))
      expect(await refusalOf(database.url)).toContain(`cannot be opened: ${refusal}`)
      await create(`alter database ${database.name} reset all`)
      await runInDatabase(database.url, 'create table is_empty ()', 'drop table is_empty')
    })

    test('tables of another program, which stay as they are', async () => {
      await create(`create database ${database.name}`)
      await runInDatabase(database.url, 'create table "user" (id text)')
      expect(await refusalOf(database.url)).toContain('cannot be opened: it holds tables of another program.')
      await runInDatabase(database.url, 'drop table "user"')
      expect(await refusalOf(database.url)).toBe('it was opened')
    })

    test('tables of another program that this role may not read: nothing is made beside them', async () => {
      const role = database.name.replace('test', 'role')
      await create(`create role ${role} login password 'right'`, `create database ${database.name}`)
      await runInDatabase(
        database.url,
        'create table documents (id text)',
        `grant create on schema public to ${role}`,
      )
      const url = addressOver('127.0.0.1').replace('someone:secret-word', `${role}:right`)
      expect(await refusalOf(url)).toContain('cannot be opened: it holds tables of another program.')
      expect(await readColumn(database.url, TABLES)).toEqual(['documents'])
      await create(`drop database ${database.name}`, `drop role ${role}`)
    })

    test('tables of another program that has a fence, too, or keeps its migrations by the same library', async () => {
      await create(`create database ${database.name}`)
      await runInDatabase(
        database.url,
        'create table fence (id bigint primary key, token bigint not null)',
        'create table kysely_migration (name text primary key, timestamp text not null)',
        `insert into kysely_migration values ('0001-orders', '2020-01-01')`,
        'create view orders as select 1 as id',
      )
      expect(await refusalOf(database.url)).toContain('cannot be opened: it holds tables of another program.')
      expect(await readColumn(database.url, TABLES)).toEqual(['fence', 'kysely_migration', 'orders'])
    })

    test.each([
      ['what an extension brought', ['create table brought ()', 'alter extension plpgsql add table brought']],
      [
        'what a killed first start left',
        ['create table fence (id bigint primary key, token bigint not null)'],
      ],
    ])('%s is no other program’s', async (_what, statements) => {
      await create(`create database ${database.name}`)
      await runInDatabase(database.url, ...statements)
      expect(await refusalOf(database.url)).toBe('it was opened')
    })

    test('a newer version’s, which stays as it is', async () => {
      await create(`create database ${database.name}`)
      expect(await refusalOf(database.url)).toBe('it was opened')
      await runInDatabase(database.url, `insert into kysely_migration values ('9999-future', '2100-01-01')`)
      const alone = openPostgresStore({ url: database.url, dataDir, exclusive: true })
      await expect(alone).rejects.toThrow('belongs to a newer Diptych')
      expect(await refusalOf(database.url)).toMatch(
        /cannot be opened: it belongs to a newer Diptych \(its tables are those of 9999-future, and .* restore a backup from before\.$/,
      )
      expect(await readColumn(database.url, 'select token from fence')).toEqual(['1'])
      await runInDatabase(database.url, `delete from kysely_migration where name = '9999-future'`)
      expect(await refusalOf(database.url)).toBe('it was opened')
    })

    test('synchronous_commit that is switched off while the server runs: nothing is acknowledged', async () => {
      await create(`create database ${database.name}`)
      const { documents, close } = await open(database.url)
      await documents.append([textEdit('d', 'one')])
      await create(
        `alter database ${database.name} set synchronous_commit = off`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
      )
      const append = () => documents.append([textEdit('d', 'two')]).catch((error: Error) => error.message)
      await expect.poll(append, { timeout: 10_000 }).toContain('synchronous_commit or fsync is off')
      await close()
    })

    test('an ordinary role, over TCP with its password, can do all that the store needs', async () => {
      const role = database.name.replace('test', 'role')
      await create(
        `create role ${role} login password 'right'`,
        `create database ${database.name} owner ${role}`,
      )
      const url = addressOver('127.0.0.1').replace('someone:secret-word', `${role}:right`)
      const { documents, close } = await open(url)
      await documents.append([textEdit('d', 'one')])
      expect(textsOf(await documents.load('d', 'body'))).toEqual(['one'])
      await close()
      await create(`drop database ${database.name}`, `drop role ${role}`)
    })
  })

  describe('[A5] the epoch', () => {
    let database: TestDatabase
    beforeEach(async () => {
      database = await leaseDatabase()
    })
    afterEach(() => database[Symbol.asyncDispose]())

    /** Starts and stops a store in order; returns when it was seen to be restored. */
    const runStore = async (url = database.url): Promise<number | null> => {
      const { documents, restoredAt, close } = await open(url)
      const claims = [{ client: 7, principal: 'user:ada' }]
      await documents.append([{ ...textEdit('d', 'one'), claims }])
      await close()
      return restoredAt
    }
    const readMarks = async () => {
      const { db, close } = await open(database.url)
      const row = await db.selectFrom('epoch').selectAll().executeTakeFirstOrThrow()
      await close()
      return row
    }

    test('reports no restore when the store only stopped', async () => {
      expect(await runStore()).toBeNull()
      expect(await runStore()).toBeNull()
    })

    test('reports one when the database has older marks than the data folder, and its ids are recoverable', async () => {
      await runStore()
      const { mark, next_mark } = await readMarks()
      await runStore()
      // pg_restore would bring back these marks.
      await runInDatabase(database.url, `update epoch set mark = '${mark}', next_mark = '${next_mark}'`)
      const { restoredAt, documents, close } = await open(database.url)
      expect(restoredAt).toBeGreaterThan(Date.now() - 60_000)
      expect([...(await documents.load('d', 'body')).recoverable!]).toEqual([7])
      await close()
      expect(await runStore()).toBe(restoredAt)
    })

    test('reports one when its file says so, as the manual says', async () => {
      await runStore()
      await writeFile(join(dataDir, 'postgres-epoch'), 'restored\n')
      const restoredAt = await runStore()
      expect(restoredAt).not.toBeNull()
      expect(await runStore()).toBe(restoredAt)
    })

    test('a further node is new, and no restore; each has a mark of its own', async () => {
      const folders = [dataDir, await createStoreFolder(), await createStoreFolder()]
      for (const folder of [...folders, ...folders.toReversed()]) {
        const { restoredAt, close } = await openPostgresStore({ url: database.url, dataDir: folder })
        expect(restoredAt).toBeNull()
        await close()
      }
      await Promise.all(folders.slice(1).map((folder) => rm(folder, { recursive: true })))
    })

    test('reports one when a dump was restored into a database of its own', async () => {
      await runStore()
      const copy = await unusedDatabase()
      const name = new URL(database.url).pathname.slice(1)
      await runInDatabase(copy.superuserUrl, `create database ${copy.name} template ${name}`)
      expect(await runStore(copy.url)).not.toBeNull()
      await runInDatabase(copy.superuserUrl, `drop database ${copy.name}`)
    })
  })

  test('a second time does not migrate again, and text is compared by its bytes, as in SQLite', async () => {
    await using database = await leaseDatabase()
    await (await open(database.url)).close()
    const { db, close } = await open(database.url)
    const migrations = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      db,
    )
    expect(migrations.rows.at(-1)?.name).toBe(latestMigration)
    const titles = ['b', 'B', 'ä', 'a', '🍋', 'ｚ']
    const rows = titles.map((title) => ({
      id: title,
      title,
      title_key: title,
      owner: 'x',
      created_at: 1,
      updated_at: 1,
    }))
    await db.insertInto('documents').values(rows).execute()
    const sorted = await db.selectFrom('documents').select('title_key').orderBy('title_key').execute()
    expect(sorted.map(({ title_key }) => title_key)).toEqual(
      titles.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
    await close()
  })

  test('a title with U+0000, which no text of PostgreSQL may have, is kept with U+FFFD in its place', async () => {
    await using database = await leaseDatabase()
    const { db, close } = await open(database.url)
    const row = { id: 'd', title: 'a\0b', owner: 'x', created_at: 1, updated_at: 1 }
    await db.insertInto('documents').values(row).execute()
    expect(await db.selectFrom('documents').select('title').execute()).toEqual([{ title: 'a\uFFFDb' }])
    expect(await db.selectFrom('documents').select('id').where('id', '=', 'd\0').execute()).toEqual([])
    await close()
  })
})
