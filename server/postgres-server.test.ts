/** The whole server on PostgreSQL, as two windows see it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { strings } from '../lib/strings/api.ts'
import { SettingError } from './config.ts'
import { startChild } from './fixtures/child-process.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'
import { RealServer } from './fixtures/real-server.ts'
import { postgresProgram } from './store/fixtures/postgres-cluster.ts'
import { leaseDatabase, runInDatabase, type TestDatabase } from './store/fixtures/postgres-databases.ts'
import { describePostgres } from './store/fixtures/postgres-fixture.ts'

const route = { transport: 'websocket', scheme: 'http' } as const

describePostgres('a server on PostgreSQL', () => {
  let database: TestDatabase
  let server: RealServer
  beforeEach(async () => {
    database = await leaseDatabase()
    server = await RealServer.start({ environment: { DATABASE_URL: database.url } })
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  /** Ends every session of the server, as a PostgreSQL that is restarted does. */
  const endSessions = () =>
    runInDatabase(
      database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )

  test('[D2] keeps what two people write over a restart, and nothing of it in the data folder', async () => {
    const shared = await server.createDocument()
    const [ada, bob] = [server.openDocument(shared, route), server.openDocument(shared, route, 'other')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    ada.doc.getText('trace').insert(0, 'one ')
    await ada.whenSaved()
    await waitUntil(() => bob.doc.getText('trace').toJSON() === 'one ')
    bob.doc.getText('trace').insert(4, 'two')
    await bob.whenSaved()
    await Promise.all([ada.close(), bob.close()])
    await server.stop()
    await server.start()
    const reader = server.openDocument(shared, route, 'viewer')
    await reader.whenSynced
    expect(reader.doc.getText('trace').toJSON()).toBe('one two')
    await reader.close()
    expect((await readdir(server.dataDir)).filter((name) => name.includes('sqlite'))).toEqual([])
    const origin = server.origin('http')
    expect(await (await fetch(`${origin}/healthz`)).json()).toMatchObject({ status: 'ok', store: 'postgres' })
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain('diptych_store{kind="postgres"} 1')
  })

  test('[D3] when PostgreSQL ends all sessions while they write, everything is saved in the end, once', async () => {
    const shared = await server.createDocument()
    const [ada, bob] = [server.openDocument(shared, route), server.openDocument(shared, route, 'other')]
    await Promise.all([ada.whenSynced, bob.whenSynced])
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 20; n++) {
        ada.doc.getText('trace').insert(0, 'a')
        bob.doc.getText('trace').insert(0, 'b')
        if (n === 10) await endSessions()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await Promise.all([ada.whenSaved(), bob.whenSaved()])
    }
    await waitUntil(() => ada.doc.getText('trace').length === 120 && bob.doc.getText('trace').length === 120)
    expect(bob.doc.getText('trace').toJSON()).toBe(ada.doc.getText('trace').toJSON())
    await Promise.all([ada.close(), bob.close()])
    await server.stop()
    await server.start()
    const reader = server.openDocument(shared, route, 'viewer')
    await reader.whenSynced
    expect(reader.doc.getText('trace').toJSON().replaceAll('a', '')).toHaveLength(60)
    expect(reader.doc.getText('trace').length).toBe(120)
    await reader.close()
  })

  const runProgram = async (name: string, ...args: string[]) => {
    await using child = startChild(postgresProgram(name), args)
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
  }

  test('[A5] after a dump while they write and its restore, as the manual describes, an open window brings back what it lacks', async () => {
    const shared = await server.createDocument()
    const [ada, bob] = [server.openDocument(shared, route), server.openDocument(shared, route, 'other')]
    const type = async (author: typeof ada, text: string) => {
      await author.whenSynced
      author.doc.getText('trace').insert(author.doc.getText('trace').length, text)
      await author.whenSaved()
    }
    await type(ada, 'kept')
    const dump = join(server.dataDir, 'diptych.dump')
    await runProgram('pg_dump', '--format=custom', `--file=${dump}`, database.url)
    await type(ada, ', lost')
    await waitUntil(() => bob.doc.getText('trace').toJSON() === 'kept, lost')
    await type(bob, ', and by Bob')
    await ada.close()
    await server.stop()
    await runProgram('pg_restore', '--clean', '--if-exists', '--no-owner', `--dbname=${database.url}`, dump)
    await server.start()

    const reader = server.openDocument(shared, route, 'viewer')
    await waitUntil(() => reader.doc.getText('trace').toJSON() === 'kept, lost, and by Bob')
    const versionNames = async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      const { rows } = await client.query<{ name: string }>('select name from versions')
      await client.end()
      return rows.map(({ name }) => name)
    }
    await waitUntil(async () => (await versionNames()).includes(strings.version.recovered))
    expect(bob.status.get().refusal).toBeUndefined()
    await Promise.all([reader.close(), bob.close()])
  })

  test('a second server on the same database does not start: one sentence, without the password', async () => {
    const second = RealServer.start({ environment: { DATABASE_URL: database.url } })
    await expect(second).rejects.toThrow(SettingError)
    await expect(second).rejects.toThrow(
      /^DATABASE_URL is "postgres:\/\/localhost:\d+\/test_\w+", where another server keeps its documents: stop that one/,
    )
  })
})
