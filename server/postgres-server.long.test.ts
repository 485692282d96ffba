/** The whole server on PostgreSQL, as two windows see it. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiStrings } from '../lib/strings/api.ts'
import { SettingError } from './config.ts'
import { startChild } from './fixtures/child-process.ts'
import { waitUntil } from '../lib/fixtures/wait.ts'
import { startServerProgram, waitUntilReady } from './fixtures/server-program.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { RealServer } from './fixtures/real-server.ts'
import { postgresProgram } from './store/fixtures/postgres-cluster.ts'
import { leaseDatabase, runInDatabase, type TestDatabase } from './store/fixtures/postgres-databases.ts'
import { openPostgresStore } from './store/postgres.ts'
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
    await waitUntil(async () => (await versionNames()).includes(apiStrings.version.recovered))
    expect(bob.status.get().refusal).toBeUndefined()
    await Promise.all([reader.close(), bob.close()])
  })

  describe('a second server on the same database', () => {
    const environmentOf = (secretFrom: RealServer) => ({
      DATABASE_URL: database.url,
      SECRET_FILE: join(secretFrom.dataDir, 'secret'),
    })

    test('does not start with another secret: one sentence, without the password', async () => {
      await using folder = await temporaryFolder()
      const problem = 'is not the secret of the other servers with the same DATABASE_URL'
      const second = RealServer.start({ environment: { DATABASE_URL: database.url } })
      await expect(second).rejects.toThrow(SettingError)
      await expect(second).rejects.toThrow(
        new RegExp(`^DATA_DIR is "/[^"]+", whose file "secret" ${problem}`),
      )
      const file = join(folder.path, 'secret')
      const third = RealServer.start({ environment: { DATABASE_URL: database.url, SECRET_FILE: file } })
      await expect(third).rejects.toThrow(`SECRET_FILE is "${file}", which ${problem}`)
    })

    test('says that documents are in the database, without its password', async () => {
      await using folder = await temporaryFolder()
      await using program = startServerProgram({ ...environmentOf(server), DATA_DIR: folder.path })
      await waitUntilReady(program)
      expect(program.stdout()).toMatch(
        /Documents are in postgres:\/\/[^@]*, the secret and the certificate in \//,
      )
    })

    test('does not start while another program has the database for itself', async () => {
      await server.stop()
      const dataDir = server.dataDir
      const alone = await openPostgresStore({ url: database.url, dataDir, exclusive: true })
      const second = RealServer.start({ environment: environmentOf(server) })
      await expect(second).rejects.toThrow(
        /^DATABASE_URL is "postgres:\/\/localhost:\d+\/test_\w+", which another program has for itself now/,
      )
      await alone.close()
      await server.start()
    })

    test('[D10] shows what is written on the first, and the other way, and rights that it takes away', async () => {
      await using second = await RealServer.start({ environment: environmentOf(server) })
      const shared = await server.createDocument()
      const [ada, bob] = [server.openDocument(shared, route), second.openDocument(shared, route, 'other')]
      await Promise.all([ada.whenSynced, bob.whenSynced])
      ada.doc.getText('trace').insert(0, 'one ')
      await waitUntil(() => bob.doc.getText('trace').toJSON() === 'one ')
      bob.doc.getText('trace').insert(4, 'two')
      await waitUntil(() => ada.doc.getText('trace').toJSON() === 'one two')
      await Promise.all([ada.whenSaved(), bob.whenSaved()])
      // A link that is revoked on one ends the windows on the other that came by it.
      const links = `${server.origin('http')}/api/documents/${shared.id}/links`
      const headers = { cookie: shared.cookie, origin: server.origin('http') }
      const { links: listed } = (await (await fetch(links, { headers })).json()) as {
        links: { id: string }[]
      }
      const { id } = listed.at(-1)! // the latest is the second editor's
      const revoked = await fetch(`${links}/${id}`, { method: 'DELETE', headers })
      expect(revoked.status).toBe(204)
      await waitUntil(() => bob.status.get().document.state === 'refused')
      expect(ada.status.get().document.state).toBe('synced')
      await Promise.all([ada.close(), bob.close()])
    })

    test('[D2] goes on when the first one stops, and everything saved is there', async () => {
      await using second = await RealServer.start({ environment: environmentOf(server) })
      const shared = await server.createDocument()
      const [ada, bob] = [server.openDocument(shared, route), second.openDocument(shared, route, 'other')]
      await Promise.all([ada.whenSynced, bob.whenSynced])
      for (let n = 0; n < 50; n++) {
        ada.doc.getText('trace').insert(0, 'a')
        bob.doc.getText('trace').insert(0, 'b')
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await Promise.all([ada.whenSaved(), bob.whenSaved()])
      await Promise.all([ada.close(), server.stop()])
      await waitUntil(() => bob.doc.getText('trace').length === 100)
      const reader = second.openDocument(shared, route, 'viewer')
      await reader.whenSynced
      expect(reader.doc.getText('trace').toJSON()).toBe(bob.doc.getText('trace').toJSON())
      await Promise.all([bob.close(), reader.close()])
      await server.start()
    })
  })
})
