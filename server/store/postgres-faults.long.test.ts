/** What PostgreSQL alone can do to a store: several writers, a lost lock, a lost answer, a server that is gone. */
import { rm } from 'node:fs/promises'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from './document-store.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import {
  leaseDatabase,
  runInDatabase,
  type TestDatabase,
  unusedDatabase,
} from './fixtures/postgres-databases.ts'
import { commitCuts, type PostgresProxy, startPostgresProxy } from './fixtures/postgres-proxy.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { numberedEdit, numberRange, textEdit, textsOf } from './fixtures/text-edits.ts'
import { openPostgresStore, type PostgresStoreOptions } from './postgres.ts'
import { openConnection, openPool } from './postgres/connections.ts'
import { createPostgresLog } from './postgres/document-log.ts'
import { beginFenced, DatabaseInUse, type Fence, lockRooms } from './postgres/server-lock.ts'

describePostgres('a store on PostgreSQL', () => {
  let database: TestDatabase
  let dataDir: string
  const opened: (Pick<Store, 'close'> | pg.Pool)[] = []

  beforeEach(async () => {
    database = await leaseDatabase()
    dataDir = await createStoreFolder()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => ('end' in each ? each.end() : each.close())))
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
       where locktype = 'advisory' and granted and classid = ${lockRooms.server}
         and database = (select oid from pg_database where datname = current_database())`,
    )

  describe('[D8] with several writers', () => {
    /** Another process's log, of the same server. */
    const openLog = async () => {
      const fenced = { pool: openTestPool(), lock: await readFence() }
      const client = await openConnection({ url: database.url }, () => {})
      opened.push({ close: () => client.end() })
      return createPostgresLog({ writer: fenced, shared: fenced, claimant: { client } })
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

    test('[A5] a client id belongs to the writer whose edit was committed first; the other one’s is refused', async () => {
      await open()
      const [ada, bob] = [await openLog(), await openLog()]
      const claim = (principal: string, client: number) => [
        [
          {
            ...textEdit('d', `${principal} ${client}`),
            principal,
            claims: [{ client, principal }],
            runs: [{ client, from: 0, to: 5 }],
          },
        ],
      ]
      for (const client of numberRange(1, 20)) {
        const outcomes = await Promise.all([
          ada.append(claim('ada', client), false),
          bob.append(claim('bob', client), false),
        ])
        const [won, lost] = outcomes.flat().toSorted((a) => ('message' in a ? 1 : -1))
        expect(won).toEqual([client])
        expect(lost).toMatchObject({ conflictingClients: [client] })
      }
      const loaded = await ada.load('d', 'body')
      const owners = textsOf(loaded).map((text) => text.split(' '))
      expect([...loaded.owners!]).toEqual(owners.map(([principal, client]) => [Number(client), principal]))
    })

    test('[D10] two texts for the same clocks are never both stored, and the other calls of a group are', async () => {
      await open()
      const [one, two] = [await openLog(), await openLog()]
      const claims = [{ client: 7, principal: 'ada' }]
      const write = (text: string, from: number, to: number) => [
        { ...textEdit('d', text), principal: 'ada', claims, runs: [{ client: 7, from, to }] },
      ]
      expect(await one.append([write('a', 0, 1)], false)).toEqual([[1]])
      const group = [write('another', 0, 1), [textEdit('e', 'undisturbed')]]
      expect(await two.append(group, false)).toEqual([
        expect.objectContaining({ conflictingClients: [7] }),
        [1],
      ])
      // An edit that leaves a gap would build on text that is nowhere.
      expect(await two.append([write('c', 2, 3)], false)).toMatchObject([{ conflictingClients: [7] }])
      expect(await two.append([[...write('b', 1, 2), ...write('c', 2, 5)]], false)).toEqual([[2, 3]])
      expect(textsOf(await one.load('d', 'body'))).toEqual(['a', 'b', 'c'])
    })

    test('[D10] what another writer appended is read from where one’s own knowledge ends, with the owners', async () => {
      const { documents } = await open()
      const other = await openLog()
      await documents.append([textEdit('d', 'one')])
      const claims = [{ client: 7, principal: 'ada' }]
      await other.append([[textEdit('d', 'two'), { ...textEdit('d', 'three'), clients: [7], claims }]], false)
      const continuation = await documents.readSince('d', 'body', 1)
      expect(textsOf(continuation!)).toEqual(['two', 'three'])
      expect([...continuation!.owners]).toEqual([[7, 'ada']])
      expect((await documents.readSince('d', 'body', 3))!.updates).toEqual([])
      await other.compact('d', 'body', new Uint8Array(1), 2)
      expect(await documents.readSince('d', 'body', 1)).toBeNull()
      expect(textsOf((await documents.readSince('d', 'body', 2))!)).toEqual(['three'])
    })

    test('[D5] one of them claims a compaction at a time, and a claim ends with its node', async () => {
      const { documents } = await open()
      const other = await openLog()
      const endClaim = await documents.claimCompaction('d', 'body')
      expect(await other.claimCompaction('d', 'body')).toBeNull()
      expect(await other.claimCompaction('e', 'body')).not.toBeNull()
      await endClaim!()
      expect(await other.claimCompaction('d', 'body')).not.toBeNull()
      await (opened.pop() as Pick<Store, 'close'>).close()
      await expect.poll(() => documents.claimCompaction('d', 'body')).not.toBeNull()
    })
  })

  describe('the lock of its database', () => {
    test('lets nodes in together, and keeps a program out that wants it alone, in one sentence', async () => {
      const [first, second] = [await open(), await open()]
      await expect(open({ exclusive: true })).rejects.toThrow(DatabaseInUse)
      await expect(open({ exclusive: true })).rejects.toThrow('Another program uses the database')
      await first.documents.append([textEdit('d', 'one')])
      await second.documents.append([textEdit('d', 'two')])
      await Promise.all([first.close(), second.close()])
      const alone = await open({ exclusive: true })
      await expect(open()).rejects.toThrow('Another program uses the database')
      expect(textsOf(await alone.documents.load('d', 'body'))).toEqual(['one', 'two'])
    })

    test('an empty database that several nodes open at once gets its tables once', async () => {
      const { url, name, superuserUrl } = await unusedDatabase()
      await runInDatabase(superuserUrl, `create database ${name}`)
      const folders = await Promise.all(numberRange(1, 3).map(createStoreFolder))
      const stores = await Promise.all(
        folders.map((folder) => open({ url, dataDir: folder, patienceMs: 5_000 })),
      )
      for (const [index, { documents }] of stores.entries())
        expect(await documents.append([textEdit('d', 'x')])).toEqual([index + 1])
      await Promise.all(stores.map((store) => store.close()))
      await runInDatabase(superuserUrl, `drop database ${name}`)
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
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

    test('a node that lost it to a program of its own without knowing it can commit nothing more, and ends', async () => {
      await using proxy = await startPostgresProxy(database.url)
      let givenUp: Error | undefined
      const first = await open({ url: proxy.url, onGiveUp: (error) => (givenUp = error) })
      await first.documents.append([textEdit('d', 'first')])
      proxy.freeze()
      await endLockSession()
      const second = await open({ exclusive: true, patienceMs: 30_000 })
      proxy.thaw()
      const late = first.documents.append([textEdit('d', 'late')])
      await expect(late).rejects.toThrow('Another program has taken over the database')
      const compaction = first.documents.compact('d', 'body', new Uint8Array(1), 1)
      await expect(compaction).rejects.toThrow('Another program has taken over the database')
      await expect(first.db.deleteFrom('log').execute()).rejects.toThrow('Another program has taken over')
      await expect
        .poll(() => givenUp?.message, { timeout: 20_000 })
        .toContain('Another program has taken over')
      expect(textsOf(await second.documents.load('d', 'body'))).toEqual(['first'])
    })

    test('a program of its own waits for a transaction that had already begun', async () => {
      const first = await open()
      const lock = await readFence()
      await first.close()
      const client = await openTestPool().connect()
      await beginFenced(client, lock)
      let isOpen = false
      const second = open({ exclusive: true }).then((store) => ((isOpen = true), store))
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

    test.each(commitCuts)('edits whose connection is cut %s are stored once', async (how) => {
      const { documents } = await open({ url: proxy.url })
      for (const n of numberRange(1, 10)) {
        proxy.cutNextCommit(how)
        const call = [numberedEdit('d', 2 * n - 1), numberedEdit('d', 2 * n)]
        const append = () => documents.append(call).catch(() => null)
        await expect.poll(append, { timeout: 10_000 }).toEqual([2 * n - 1, 2 * n])
      }
      expect(proxy.cuts).toBe(10)
      expect(textsOf(await documents.load('d', 'body'))).toEqual(numberRange(1, 20).map(String))
    })
  })
})
