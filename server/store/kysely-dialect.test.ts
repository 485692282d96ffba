import { join } from 'node:path'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { anonymous } from 'better-auth/plugins'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { textEdit, numberedEdit, numberRange, textsOf } from './fixtures/text-edits.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import type { Store } from './document-store.ts'
import { openSqliteStore } from './sqlite.ts'

let folder: string
let store: Store
beforeEach(async () => {
  folder = await createStoreFolder()
  store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
})
afterEach(async () => {
  await store.close()
})

const documentRow = (id: string) => ({ id, owner: 'user:ada', created_at: 1, updated_at: 2 })

describe('kysely over the worker', () => {
  test('inserts, returns, updates, counts and deletes', async () => {
    const { db } = store
    const inserted = await db
      .insertInto('documents')
      .values(documentRow('d'))
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(inserted).toMatchObject({ ...documentRow('d'), title: '', title_key: '', deleted_at: null })
    const updated = await db.updateTable('documents').set({ title: 'Plan' }).executeTakeFirstOrThrow()
    expect(updated.numUpdatedRows).toBe(1n)
    expect(await db.selectFrom('documents').select('title').execute()).toEqual([{ title: 'Plan' }])
    const deleted = await db.deleteFrom('documents').where('id', '=', 'd').executeTakeFirstOrThrow()
    expect(deleted.numDeletedRows).toBe(1n)
  })

  test('takes booleans, dates and undefined', async () => {
    const day = new Date('2026-01-02T03:04:05.678Z')
    const { rows } =
      await sql`select ${true} as yes, ${false} as no, ${day} as day, ${undefined} as absent`.execute(
        store.db,
      )
    expect(rows).toEqual([{ yes: 1, no: 0, day: day.toISOString(), absent: null }])
  })

  test('names the rule that a statement breaks', async () => {
    const insert = store.db.insertInto('documents').values(documentRow('d'))
    await insert.execute()
    await expect(insert.execute()).rejects.toMatchObject({
      code: 'ERR_SQLITE_ERROR',
      errcode: 1555,
      message: 'UNIQUE constraint failed: documents.id',
    })
    const orphan = { document: 'none', principal: 'p', link: 'none', role: 'viewer' as const, created_at: 1 }
    await expect(store.db.insertInto('grants').values(orphan).execute()).rejects.toThrow('FOREIGN KEY')
  })

  test('[D1] a transaction and appends never mix: its rollback reverts no append', async () => {
    const appends = store.db.transaction().execute(async (trx) => {
      await trx.insertInto('documents').values(documentRow('lost')).execute()
      const during = numberRange(1, 20).map((n) => store.documents.append([numberedEdit('d', n)]))
      await trx.insertInto('documents').values(documentRow('lost-too')).execute()
      throw Object.assign(new Error('changed my mind'), { during: Promise.all(during) })
    })
    const error: { during: Promise<unknown> } = await appends.then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    await error.during
    expect(await store.db.selectFrom('documents').select('id').execute()).toEqual([])
    expect(textsOf(await store.documents.load('d', 'body'))).toEqual(numberRange(1, 20).map(String))
  })

  test('[D1] edits are committed and loaded within a transaction of somebody else that has only read', async () => {
    await store.db.transaction().execute(async (trx) => {
      await trx.selectFrom('documents').select('id').execute()
      expect(await store.documents.append([textEdit('d', 'meanwhile')])).toEqual([1])
      expect(textsOf(await store.documents.load('d', 'body'))).toEqual(['meanwhile'])
      await trx.insertInto('documents').values(documentRow('kept')).execute()
    })
    expect(await store.db.selectFrom('documents').select('id').execute()).toEqual([{ id: 'kept' }])
  })

  test('transactions take turns', async () => {
    const { db } = store
    await db
      .insertInto('documents')
      .values({ ...documentRow('d'), title: '' })
      .execute()
    const appendLetter = (letter: string) =>
      db.transaction().execute(async (trx) => {
        const { title } = await trx.selectFrom('documents').select('title').executeTakeFirstOrThrow()
        await trx
          .updateTable('documents')
          .set({ title: title + letter })
          .execute()
      })
    await Promise.all('abcdefgh'.split('').map(appendLetter))
    expect(await db.selectFrom('documents').select('title').execute()).toEqual([{ title: 'abcdefgh' }])
  })

  test(
    'a forgotten transaction blocks nobody for good, and its next statement fails',
    { timeout: 20_000 },
    async () => {
      const trx = await store.db.startTransaction().execute()
      await trx.insertInto('documents').values(documentRow('lost')).execute()
      await store.documents.append([textEdit('d', 'one')])
      await expect(trx.insertInto('documents').values(documentRow('late')).execute()).rejects.toThrow(
        'rolled back',
      )
      await expect(trx.commit().execute()).rejects.toThrow('rolled back')
      expect(await store.db.selectFrom('documents').select('id').execute()).toEqual([])
    },
  )

  test('a transaction cannot be opened by a bare statement', async () => {
    await expect(sql`begin`.execute(store.db)).rejects.toThrow('db.transaction()')
    await store.documents.append([textEdit('d', 'one')])
  })
})

describe('better-auth over the same connection', () => {
  const createTestAuth = (baseURL: string) =>
    betterAuth({
      baseURL,
      secret: 'only-for-this-test-only-for-this-test',
      database: { db: store.db, type: 'sqlite' },
      emailAndPassword: { enabled: true },
      plugins: [anonymous()],
      telemetry: { enabled: false },
    })

  test('finds every table and column it needs', async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(createTestAuth('http://localhost:3000').options)
    expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] })
  })

  test('creates guests, identifies them again and signs them out, for http and https', async () => {
    for (const origin of ['http://localhost:3000', 'https://localhost:3443']) {
      const auth = createTestAuth(origin)
      const { headers, response } = await auth.api.signInAnonymous({ returnHeaders: true })
      const cookie = headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ')
      const session = await auth.api.getSession({ headers: new Headers({ cookie }) })
      expect(session?.user).toMatchObject({ id: response?.user.id, isAnonymous: true, emailVerified: false })
      expect(session?.session.expiresAt).toBeInstanceOf(Date)
      await auth.api.signOut({ headers: new Headers({ cookie }) })
      expect(await auth.api.getSession({ headers: new Headers({ cookie }) })).toBeNull()
    }
    expect(await store.db.selectFrom('user').select('isAnonymous').execute()).toEqual([
      { isAnonymous: 1 },
      { isAnonymous: 1 },
    ])
  })

  test('signs people up by email, and refuses the same email again', async () => {
    const auth = createTestAuth('http://localhost:3000')
    const body = { email: 'ada@example.org', password: 'correct horse battery', name: 'Ada' }
    await auth.api.signUpEmail({ body })
    await expect(auth.api.signUpEmail({ body })).rejects.toThrow('already exists')
    const { user } = await auth.api.signInEmail({ body })
    expect(user.createdAt).toBeInstanceOf(Date)
  })
})
