/** What PostgreSQL alone can do to a store: several writers, a lost lock, a lost answer, a server that is gone. */
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from './document-store.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import { leaseDatabase, runInDatabase, type TestDatabase } from './fixtures/postgres-databases.ts'
import { type CommitCut, type PostgresProxy, startPostgresProxy } from './fixtures/postgres-proxy.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { numberedEdit, numberRange, textEdit, textsOf } from './fixtures/text-edits.ts'
import { openPostgresStore, type PostgresStoreOptions } from './postgres.ts'
import { openPool } from './postgres/connections.ts'
import { createPostgresLog } from './postgres/document-log.ts'
import { beginFenced, DatabaseInUse, type Fence } from './postgres/server-lock.ts'

describePostgres('a store on PostgreSQL', () => {
  let database: TestDatabase
  let dataDir: string
  const opened: (Store | pg.Pool)[] = []

  beforeEach(async () => {
    database = await leaseDatabase()
    dataDir = await createStoreFolder()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => (each instanceof pg.Pool ? each.end() : each.close())))
    await rm(dataDir, { recursive: true })
    await database[Symbol.asyncDispose]()
  })

  const open = async (options: Partial<PostgresStoreOptions> = {}): Promise<Store> => {
    const store = await openPostgresStore({ url: database.url, dataDir, patienceMs: 0, ...options })
    opened.push(store)
    return store
  }
  const openTestPool = (url = database.url): pg.Pool => {
    const pool = openPool({ url }, 1)
    opened.push(pool)
    return pool
  }
  const readFence = async (): Promise<Fence> => {
    const token = Number(
      (await openTestPool().query<{ token: number }>('select token from fence')).rows[0]!.token,
    )
    return { token, lost: null, giveUp() {} }
  }

  /** Ends the sessions that hold the lock of the database, as when a network fails for them alone. */
  const endLockSession = () =>
    runInDatabase(
      database.url,
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and granted and mode = 'ExclusiveLock'
         and database = (select oid from pg_database where datname = current_database())`,
    )

  describe('[D8] with several writers', () => {
    /** Another process's log, of the same server. */
    const openLog = async () => {
      const fenced = { pool: openTestPool(), lock: await readFence() }
      return createPostgresLog({ writer: fenced, shared: fenced })
    }

    test('sequences have no gap and no number twice, and each writer’s order is kept', async () => {
      const { documents } = await open()
      const writers = [await openLog(), await openLog(), await openLog()]
      const sequences: number[] = []
      await Promise.all(
        writers.map(async (writer, index) => {
          for (const n of numberRange(1, 40)) {
            const calls = [
              [textEdit('d', `${index}:${n}`), textEdit(`e${n % 3}`, 'x')],
              [textEdit('d', `${index}:${n}b`)],
            ]
            const outcomes = (await writer.append(calls, false)) as number[][]
            sequences.push(outcomes[0]![0]!, outcomes[1]![0]!)
          }
        }),
      )
      expect(sequences.toSorted((a, b) => a - b)).toEqual(numberRange(1, 240))
      const texts = textsOf(await documents.load('d', 'body'))
      expect(texts).toHaveLength(240)
      for (const index of writers.keys())
        expect(texts.filter((text) => text.startsWith(`${index}:`))).toEqual(
          numberRange(1, 40).flatMap((n) => [`${index}:${n}`, `${index}:${n}b`]),
        )
      for (const n of [0, 1, 2])
        expect(await documents.load(`e${n}`, 'body')).toMatchObject({ logLength: n === 1 ? 42 : 39 })
    })

    test('[A5] a client id belongs to the writer whose edit was committed first, for both', async () => {
      const { documents } = await open()
      const [ada, bob] = [await openLog(), await openLog()]
      const claim = (principal: string, client: number) => [
        [{ ...textEdit('d', `${principal} ${client}`), principal, claims: [{ client, principal }] }],
      ]
      for (const client of numberRange(1, 20))
        await Promise.all([ada.append(claim('ada', client), false), bob.append(claim('bob', client), false)])
      const texts = textsOf(await documents.load('d', 'body'))
      const firstOwners = numberRange(1, 20).map((client) => [
        client,
        texts.find((text) => text.endsWith(` ${client}`))!.split(' ')[0]!,
      ])
      for (const log of [ada, bob, documents])
        expect([...(await log.load('d', 'body')).owners!]).toEqual(firstOwners)
    })
  })

  describe('the lock of its database', () => {
    test('keeps a second server out, in one sentence, and is free after the first', async () => {
      const first = await open()
      await expect(open()).rejects.toThrow(DatabaseInUse)
      await expect(open()).rejects.toThrow('Another server uses the database')
      await first.documents.append([textEdit('d', 'undisturbed')])
      await first.close()
      const second = await open()
      expect(textsOf(await second.documents.load('d', 'body'))).toEqual(['undisturbed'])
    })

    test('is taken again after its connection was lost; meanwhile nothing is written', async () => {
      const { documents, db } = await open({ onGiveUp: () => expect.unreachable() })
      await documents.append([textEdit('d', 'one')])
      await endLockSession()
      await expect
        .poll(() => documents.append([textEdit('d', 'two')]).catch((error: Error) => error.message))
        .toMatch(/lock of the database was lost/)
      await expect(db.deleteFrom('log').execute()).rejects.toThrow('lock of the database was lost')
      const retried = textEdit('d', 'three')
      await expect
        .poll(() => documents.append([retried]).catch(() => null), { timeout: 10_000 })
        .not.toBeNull()
      expect(textsOf(await documents.load('d', 'body')).at(-1)).toBe('three')
    })

    test('a server that lost it to another without knowing it can commit nothing more, and ends', async () => {
      await using proxy = await startPostgresProxy(database.url)
      let givenUp: Error | undefined
      const first = await open({ url: proxy.url, onGiveUp: (error) => (givenUp = error) })
      await first.documents.append([textEdit('d', 'first')])
      proxy.freeze()
      await endLockSession()
      const second = await open()
      proxy.thaw()
      const late = first.documents.append([textEdit('d', 'late')])
      await expect(late).rejects.toThrow('Another server has taken over the database')
      const compaction = first.documents.compact('d', 'body', new Uint8Array(1), 1)
      await expect(compaction).rejects.toThrow('Another server has taken over the database')
      await expect(first.db.deleteFrom('log').execute()).rejects.toThrow('Another server has taken over')
      await expect
        .poll(() => givenUp?.message, { timeout: 20_000 })
        .toContain('Another server has taken over')
      expect(textsOf(await second.documents.load('d', 'body'))).toEqual(['first'])
    })

    test('the next server waits for a transaction that had already begun', async () => {
      const first = await open()
      const lock = await readFence()
      await first.close()
      const client = await openTestPool().connect()
      await beginFenced(client, lock)
      let isOpen = false
      const second = open().then((store) => ((isOpen = true), store))
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(isOpen).toBe(false)
      await client.query('commit')
      client.release()
      await second
    })
  })

  describe('[D3] behind a network that fails', () => {
    let proxy: PostgresProxy
    beforeEach(async () => {
      proxy = await startPostgresProxy(database.url)
    })
    afterEach(() => proxy[Symbol.asyncDispose]())

    test.each<CommitCut>(['before the commit', 'after the commit'])(
      'edits whose connection is cut %s are stored once',
      async (how) => {
        const { documents } = await open({ url: proxy.url })
        for (const n of numberRange(1, 10)) {
          proxy.cutNextCommit(how)
          const call = [numberedEdit('d', 2 * n - 1), numberedEdit('d', 2 * n)]
          const append = () => documents.append(call).catch(() => null)
          await expect.poll(append, { timeout: 10_000 }).toEqual([2 * n - 1, 2 * n])
        }
        expect(proxy.cuts).toBe(10)
        expect(textsOf(await documents.load('d', 'body'))).toEqual(numberRange(1, 20).map(String))
      },
    )
  })
})
