import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { type ApiFixture, openApiFixture } from '../api/fixtures/api-fixture.ts'
import { type Environment, readConfig } from '../config.ts'
import { isTestedOnPostgres } from '../store/fixtures/test-store.ts'
import { createRetention, type RetentionDependencies } from './retention.ts'
import { triesAll } from '../../lib/fixtures/runs.ts'

const DAY_MS = 24 * 3600_000

let fixture: ApiFixture
let days = 0
const steps = { taken: 0 }
const clock = {
  now: () => Date.now() + days * DAY_MS,
  after(_ms: number, run: () => void) {
    steps.taken += 1
    const timer = setImmediate(run)
    return () => clearImmediate(timer)
  },
}
const deletedDocuments: string[] = []

const createTestRetention = (environment: Environment = {}, search?: RetentionDependencies['search']) =>
  createRetention({
    db: fixture.db,
    log: silentLogger,
    config: readConfig(environment),
    onDocumentDeleted: (document) => deletedDocuments.push(document),
    clock,
    ...(search && { search }),
  })

beforeEach(async () => {
  fixture = await openApiFixture()
  days = 0
  steps.taken = 0
  deletedDocuments.length = 0
})
afterEach(() => fixture[Symbol.asyncDispose]())

const call: ApiFixture['call'] = (...callArguments) => fixture.call(...callArguments)

async function createDocument(cookie: string, title = ''): Promise<string> {
  const { json, status } = await call('POST', '/api/documents', { cookie, body: { title } })
  expect(status).toBe(201)
  return json['id']!
}

const append = (document: string, part: 'body' | 'comments' | 'desk', count = 1) =>
  fixture.store.append(
    Array.from({ length: count }, (_, number) => ({
      document,
      part,
      update: new Uint8Array(100),
      principal: 'user:x',
      session: '',
      number,
      clients: [],
    })),
  )

/** Returns in how many rows of which tables a text occurs, whatever the tables are. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const { db } = fixture
  const tables = await db.introspection.getTables()
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db)
      return [name, rows.filter((row) => Object.values(row).some((value) => value === text)).length] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

describe('deleted documents', () => {
  /** Creates a document with everything that a document can have. */
  async function createFullDocument() {
    const [owner, other] = [await fixture.createPerson(), await fixture.createPerson()]
    const document = await createDocument(owner.cookie, 'Budget')
    const { token } = await fixture.access.createShareLink(document, 'editor', owner.principal)
    await fixture.access.redeemShareLink(other.principal, document, token)
    await append(document, 'body', 1200)
    await append(document, 'comments', 3)
    await fixture.store.compact(document, 'body', new Uint8Array(50_000), 1000)
    const { db } = fixture
    await db
      .insertInto('versions')
      .values({
        id: 'v',
        document,
        created_at: 1,
        authors: '[]',
        sequence: 1,
        checksum: 0,
        state: new Uint8Array(9),
        name: null,
        named_by: null,
      }) // prettier-ignore
      .execute()
    await db.insertInto('unversioned').values({ document, principal: 'user:x', since: 1 }).execute()
    return { owner, document }
  }

  test('[A6] leave every table after DELETED_KEPT_DAYS, in small steps, and not a day earlier', async () => {
    const { owner, document } = await createFullDocument()
    const keptDocument = await createDocument(owner.cookie, 'Kept')
    expect((await call('DELETE', `/api/documents/${document}`, { cookie: owner.cookie })).status).toBe(204)
    const before = await rowsWith(document)
    expect(before).toMatchObject({
      documents: 1,
      log: 204,
      snapshots: 1,
      links: 1,
      grants: 1,
      unversioned: 1,
      versions: 1,
    })
    days = 29.9
    expect(await createTestRetention().sweep()).toEqual({ documents: 0, guests: 0, versions: 0 })
    expect(await rowsWith(document)).toEqual(before)
    days = 30.1
    steps.taken = 0
    expect(await createTestRetention().sweep()).toEqual({ documents: 1, guests: 0, versions: 0 })
    expect(await rowsWith(document)).toEqual({})
    expect(await rowsWith(keptDocument)).toEqual({ documents: 1, log: 1, document_sizes: 1 })
    // One step removes at most a hundred rows of the log.
    expect(steps.taken).toBeGreaterThan(204 / 100 + Object.keys(before).length)
  })

  test('cannot be restored once their removal has begun', async () => {
    const { owner, document } = await createFullDocument()
    const { cookie } = owner
    await call('DELETE', `/api/documents/${document}`, { cookie })
    days = 31
    const first = createTestRetention({ GUESTS_KEPT_DAYS: 'off' })
    const sweeping = first.sweep()
    await first.close()
    await sweeping
    expect(await rowsWith(document)).toMatchObject({ documents: 1 })
    expect((await call('POST', `/api/trash/${document}/restore`, { cookie })).status).toBe(404)
    expect((await call('GET', '/api/trash', { cookie })).json['documents']).toEqual([])
  })

  test('leave with the next sweep when they are deleted for good, however long others are kept', async () => {
    const { owner, document } = await createFullDocument()
    const { cookie } = owner
    const keptDocument = await createDocument(cookie, 'Kept')
    for (const id of [document, keptDocument]) await call('DELETE', `/api/documents/${id}`, { cookie })
    expect((await call('DELETE', `/api/trash/${document}`, { cookie })).status).toBe(204)
    const settings = { DELETED_KEPT_DAYS: 'off', GUESTS_KEPT_DAYS: 'off' }
    expect(await createTestRetention(settings).sweep()).toMatchObject({ documents: 1 })
    expect([await rowsWith(document), await rowsWith(keptDocument)]).toMatchObject([{}, { documents: 1 }])
    expect((await call('POST', `/api/trash/${keptDocument}/restore`, { cookie })).status).toBe(204)
  })

  test('leave although the search index is lost', async () => {
    const { owner, document } = await createFullDocument()
    await call('DELETE', `/api/documents/${document}`, { cookie: owner.cookie })
    days = 31
    const search = { remove: () => Promise.reject(new Error('the file is damaged')) }
    expect(await createTestRetention({ GUESTS_KEPT_DAYS: 'off' }, search).sweep()).toMatchObject({
      documents: 1,
    })
    expect(await rowsWith(document)).toEqual({})
  })

  test('stay for good when the setting is off', async () => {
    const { owner, document } = await createFullDocument()
    await call('DELETE', `/api/documents/${document}`, { cookie: owner.cookie })
    days = 10_000
    expect(
      await createTestRetention({ DELETED_KEPT_DAYS: 'off', GUESTS_KEPT_DAYS: 'off' }).sweep(),
    ).toMatchObject({
      documents: 0,
    })
    expect(await rowsWith(document)).toMatchObject({ documents: 1 })
  })

  test('versions leave after VERSIONS_KEPT_DAYS, but for named ones and the newest of each document', async () => {
    const { cookie } = await fixture.createPerson()
    const [edited, quiet] = [await createDocument(cookie), await createDocument(cookie)]
    const version = { authors: '[]', checksum: 0, state: new Uint8Array(9), named_by: null }
    const rows = [
      ...Array.from({ length: 45 }, (_, index) => ({
        id: `e${index}`,
        document: edited,
        sequence: index,
        age: 50,
      })),
      { id: 'named', document: edited, sequence: 50, age: 50, name: 'kept' },
      { id: 'young', document: edited, sequence: 60, age: 9 },
      { id: 'q1', document: quiet, sequence: 1, age: 80 },
      { id: 'q2', document: quiet, sequence: 2, age: 80 },
    ]
    for (const { age, ...row } of rows)
      await fixture.db
        .insertInto('versions')
        .values({ name: null, ...version, ...row, created_at: Date.now() - age * DAY_MS })
        .execute()
    const idsLeft = async () => {
      const left = await fixture.db.selectFrom('versions').select('id').orderBy('id').execute()
      return left.map(({ id }) => id)
    }
    expect(await createTestRetention().sweep()).toMatchObject({ versions: 0 })
    expect(await createTestRetention({ VERSIONS_KEPT_DAYS: '10' }).sweep()).toMatchObject({ versions: 46 })
    expect(await idsLeft()).toEqual(['named', 'q2', 'young'])
  })

  // PostgreSQL uses space again when its own autovacuum has run.
  test.skipIf(isTestedOnPostgres)(
    '[A6] the space is reused: the file does not grow with documents that come and go',
    async () => {
      const { cookie } = await fixture.createPerson()
      const sizes: number[] = []
      for (let round = 0; round < 4; round++) {
        const document = await createDocument(cookie)
        const stored = await fixture.store.load(document, 'body')
        await append(document, 'body', 5000)
        await fixture.store.compact(document, 'body', new Uint8Array(2_000_000), stored.sequence)
        await call('DELETE', `/api/documents/${document}`, { cookie })
        days += 31
        await createTestRetention({ GUESTS_KEPT_DAYS: 'off' }).sweep()
        using database = new DatabaseSync(fixture.database)
        database.exec('pragma wal_checkpoint(truncate)')
        sizes.push(statSync(fixture.database).size)
      }
      expect(sizes.at(-1)).toBeLessThan(sizes[0]! * 1.2)
    },
  )

  test('a sweep that is closed in the middle ends there, and the next one continues', async () => {
    const { owner, document } = await createFullDocument()
    await call('DELETE', `/api/documents/${document}`, { cookie: owner.cookie })
    days = 31
    const first = createTestRetention()
    const sweeping = first.sweep()
    await first.close()
    await sweeping
    expect(await rowsWith(document)).toMatchObject({ documents: 1 })
    await createTestRetention().sweep()
    expect(await rowsWith(document)).toEqual({})
  })
})

describe('guests who never wrote', () => {
  async function createWelcomedGuest() {
    const { principal, cookie } = await fixture.issueUnstoredGuest()
    const { json } = await call('GET', '/api/documents', { cookie })
    await fixture.welcome.whenIdle()
    const [{ id: document }] = json['documents'] as unknown as [{ id: string }]
    return { principal, cookie, document, user: principal.id.slice('user:'.length) }
  }

  test('[A6] are deleted 30 days after their last visit, with their welcome document and their desk', async () => {
    const { principal, cookie, user, document } = await createWelcomedGuest()
    const opened = { cookie, body: { opened: true } }
    expect((await call('PATCH', `/api/documents/${document}/placement`, opened)).status).toBe(200)
    await append(principal.id, 'desk', 3)
    days = 29.9
    expect(await createTestRetention().sweep()).toEqual({ documents: 0, guests: 0, versions: 0 })
    days = 30.1
    expect(await createTestRetention().sweep()).toEqual({ documents: 1, guests: 1, versions: 0 })
    expect(deletedDocuments).toEqual([document])
    for (const text of [principal.id, user, document]) expect(await rowsWith(text)).toEqual({})
  })

  test.runIf(triesAll)('[A6] are deleted one by one, however many there are', async () => {
    // More than one query examines.
    const count = 210
    for (let n = 0; n < count; n++) {
      const { cookie } = await fixture.issueUnstoredGuest()
      await call('GET', '/api/me', { cookie, peer: `203.0.113.${n % 250}` })
    }
    const { user } = await createWelcomedGuest()
    days = 31
    expect(await createTestRetention().sweep()).toEqual({ documents: 1, guests: count + 1, versions: 0 })
    expect(await rowsWith(user)).toEqual({})
    expect(await fixture.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test.each<
    [what: string, act: (guest: Awaited<ReturnType<typeof createWelcomedGuest>>) => Promise<unknown>]
  >([
    ['wrote in the welcome document', ({ document }) => append(document, 'body')],
    ['commented there', ({ document }) => append(document, 'comments')],
    ['shared it', ({ document, principal }) => fixture.access.createShareLink(document, 'viewer', principal)],
    ['made a folder', ({ cookie }) => call('POST', '/api/folders', { cookie, body: { name: 'Plans' } })],
    ['made a document with a title', ({ cookie }) => createDocument(cookie, 'Budget')],
    [
      'moved what they wrote to the trash two days ago',
      async ({ cookie }) => {
        const document = await createDocument(cookie, 'Budget')
        await call('DELETE', `/api/documents/${document}`, { cookie })
        const deletedAt = Date.now() + 29 * DAY_MS
        await fixture.db
          .updateTable('documents')
          .set({ deleted_at: deletedAt })
          .where('id', '=', document)
          .execute()
      },
    ],
    [
      'wrote in a document without a title',
      async ({ cookie }) => append(await createDocument(cookie), 'body'),
    ],
    [
      'renamed the welcome document',
      ({ cookie, document }) =>
        call('PATCH', `/api/documents/${document}`, { cookie, body: { title: 'Mine' } }),
    ],
    [
      'was given access to somebody else’s document',
      async ({ principal }) => {
        const owner = await fixture.createPerson()
        const document = await createDocument(owner.cookie, 'Theirs')
        const { token } = await fixture.access.createShareLink(document, 'viewer', owner.principal)
        await fixture.access.redeemShareLink(principal, document, token)
      },
    ],
    [
      'opened a page yesterday',
      ({ user }) =>
        fixture.db
          .updateTable('session')
          .set({ updatedAt: new Date(Date.now() + 30 * DAY_MS).toISOString() })
          .where('userId', '=', user)
          .execute(),
    ],
  ])('a guest who %s stays', async (_what, act) => {
    const guest = await createWelcomedGuest()
    await act(guest)
    days = 31
    await createTestRetention().sweep()
    expect(await rowsWith(guest.user)).toMatchObject({ user: 1, session: 1 })
    expect(await rowsWith(guest.document)).toMatchObject({ documents: 1 })
  })

  test('an empty document that was only opened does not count as written', async () => {
    const { cookie, user } = await createWelcomedGuest()
    const document = await createDocument(cookie)
    days = 31
    expect(await createTestRetention().sweep()).toEqual({ documents: 2, guests: 1, versions: 0 })
    expect([await rowsWith(user), await rowsWith(document)]).toEqual([{}, {}])
  })

  test('a guest who deleted the welcome document and left is deleted as well', async () => {
    const { cookie, user, document } = await createWelcomedGuest()
    await call('DELETE', `/api/documents/${document}`, { cookie })
    days = 31
    expect(await createTestRetention().sweep()).toMatchObject({ guests: 1 })
    expect(await rowsWith(user)).toEqual({})
  })

  test('each use of a cookie after a day is a visit', async () => {
    const { cookie, user } = await createWelcomedGuest()
    const old = new Date(Date.now() - 40 * DAY_MS).toISOString()
    await fixture.db.updateTable('session').set({ updatedAt: old }).where('userId', '=', user).execute()
    await fixture.db.updateTable('user').set({ createdAt: old }).where('id', '=', user).execute()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }) // cookies are not looked up twice in 30 s
    try {
      expect((await call('GET', '/api/me', { cookie })).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
    expect(await createTestRetention().sweep()).toMatchObject({ guests: 0 })
  })
})

test('a sweep runs by itself soon after the start, and never two at once', async () => {
  const { cookie } = await fixture.createPerson()
  const document = await createDocument(cookie, 'Budget')
  await call('DELETE', `/api/documents/${document}`, { cookie })
  days = 31
  const waits: number[] = []
  const run = { next: () => {} }
  const recordingClock = {
    now: clock.now,
    after(ms: number, next: () => void) {
      if (ms < 1000) return clock.after(ms, next)
      waits.push(ms)
      run.next = next
      return () => {}
    },
  }
  const config = readConfig({})
  const scheduledRetention = createRetention({
    db: fixture.db,
    log: silentLogger,
    config,
    onDocumentDeleted: () => {},
    clock: recordingClock,
  })
  scheduledRetention.start()
  run.next()
  const [first, second] = [scheduledRetention.sweep(), scheduledRetention.sweep()]
  expect(first).toBe(second)
  expect(await first).toMatchObject({ documents: 1 })
  await new Promise(setImmediate)
  expect(waits).toEqual([60_000, 3_600_000])
  await scheduledRetention.close()
})
