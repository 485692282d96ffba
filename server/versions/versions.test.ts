import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { type Fixture, log, openFixture } from '../access/fixture.ts'
import type { Principal } from '../access/principal.ts'
import { moveToTrash, purge } from '../api/trash.ts'
import { startChild } from '../fixtures/child-process.ts'
import { until } from '../rooms/fixtures/rooms-fixture.ts'
import { createHoldableStore, type HoldableStore } from '../store/holdable-store.ts'
import { createVersions } from './create-versions.ts'
import { MAX_NAMED, TooManyVersions, type Versions } from './versions.ts'

const MINUTE = 60_000

let fixture: Fixture
let store: HoldableStore
let clock: ManualClock
let versions: Versions
let ada: Principal
let bob: Principal
let document: string
let doc: Y.Doc

const start = () => createVersions({ db: fixture.db, store, log, clock })

beforeEach(async () => {
  fixture = await openFixture()
  store = createHoldableStore(fixture.store)
  clock = new ManualClock()
  versions = start()
  ;[ada, bob] = (await Promise.all([fixture.person(), fixture.person()])).map(
    ({ principal }) => principal,
  ) as [Principal, Principal]
  document = await fixture.document(ada)
  doc = new Y.Doc()
})
afterEach(async () => {
  await versions.close()
  await fixture[Symbol.asyncDispose]()
})

/** As a room does it: told once it is on disk. */
async function type(text: string, { id: principal }: Principal): Promise<void> {
  const before = Y.encodeStateVector(doc)
  doc.getText('title').insert(0, text)
  const update = Y.encodeStateAsUpdate(doc, before)
  await store.append([{ document, part: 'body', update, principal, session: 's', number: 1, clients: [] }])
  versions.edited(document, principal)
}

const textOf = async (version: string): Promise<string> => {
  const stored = new Y.Doc()
  Y.applyUpdate(stored, gunzipSync((await versions.state(document, version))!))
  return stored.getText('title').toJSON()
}

const texts = async () => Promise.all((await versions.list(document)).map(({ id }) => textOf(id)))

/** Timers run at once, what they set going takes its time. */
const listed = (count: number) => until(async () => (await versions.list(document)).length === count)

describe('[D9] a version makes itself', () => {
  test('ten minutes after the first edit since the last one, with who wrote', async () => {
    await type('a', ada)
    await clock.pass(9 * MINUTE)
    await type('b', bob)
    expect(await versions.list(document)).toEqual([])
    await clock.pass(MINUTE)
    await listed(1)
    const [version] = await versions.list(document)
    expect(version).toMatchObject({ name: null, createdAt: clock.now() })
    expect(version!.authors).toEqual([ada, bob].map(({ id, name }) => ({ id, name })))
    expect(await texts()).toEqual(['ba'])
    await clock.pass(60 * MINUTE)
    await type('c', bob)
    await clock.pass(10 * MINUTE)
    await listed(2)
    expect((await versions.list(document))[0]!.authors).toEqual([{ id: bob.id, name: bob.name }])
    expect(await texts()).toEqual(['cba', 'ba'])
    expect(clock.timers).toBe(0)
  })

  test('when the last person has left, and not where nothing was written', async () => {
    versions.left(document)
    await clock.pass(0)
    expect(clock.timers).toBe(0)
    await type('a', ada)
    versions.left(document)
    await clock.pass(0)
    await listed(1)
    versions.left(document)
    await clock.pass(60 * MINUTE)
    expect(await texts()).toEqual(['a'])
  })

  test('after a restart, though the log that names the authors was compacted', async () => {
    await type('a', ada)
    await type('b', bob)
    await versions.close()
    await fixture.db.deleteFrom('log').execute()
    await store.append([
      {
        document,
        part: 'body',
        update: Y.encodeStateAsUpdate(doc),
        principal: 'x',
        session: '',
        number: 0,
        clients: [],
      },
    ])
    versions = start()
    await versions.resume()
    await clock.pass(10 * MINUTE)
    await listed(1)
    expect((await versions.list(document))[0]!.authors.map(({ id }) => id).sort()).toEqual(
      [ada.id, bob.id].sort(),
    )
    expect(await fixture.db.selectFrom('unversioned').selectAll().execute()).toEqual([])
  })

  test('[D3] later, where the store failed, and knows everybody who wrote until then', async () => {
    await type('a', ada)
    const { load } = store
    store.load = () => Promise.reject(new Error('disk'))
    await clock.pass(10 * MINUTE)
    await until(() => clock.timers === 1)
    store.load = load
    await type('b', bob)
    await clock.pass(10 * MINUTE)
    await listed(1)
    expect((await versions.list(document))[0]!.authors).toHaveLength(2)
    expect(await texts()).toEqual(['ba'])
  })

  test('also for a document in the trash, so that it comes back with it', async () => {
    await type('a', ada)
    await moveToTrash(fixture.db, document)
    versions.left(document)
    await clock.pass(0)
    await listed(1)
    expect(await texts()).toEqual(['a'])
  })

  test('not for a document that was deleted for good meanwhile', async () => {
    await type('a', ada)
    await moveToTrash(fixture.db, document)
    await purge(fixture.db, ada, document)
    await expect(versions.create(document, 'Too late', ada)).rejects.toThrow()
    expect(await versions.list(document)).toEqual([])
    await type('b', bob)
    await versions.forget(document)
    expect(clock.timers).toBe(0)
  })
})

describe('a named version', () => {
  test('[D1] holds all that is committed, and nothing that is not', async () => {
    await type('saved ', ada)
    store.hold()
    const unsaved = type('unsaved ', ada)
    const { id } = await versions.create(document, 'Before', ada)
    expect(await textOf(id)).toBe('saved ')
    store.release()
    await unsaved
  })

  test('is the newest one, named, where nothing was written since; and a second one of its own', async () => {
    await type('a', ada)
    versions.left(document)
    await clock.pass(0)
    await listed(1)
    const [automatic] = await versions.list(document)
    const first = await versions.create(document, 'First', bob)
    expect(first).toEqual({ ...automatic, name: 'First' })
    const second = await versions.create(document, 'Second', bob)
    expect(second.authors).toEqual([])
    expect((await versions.list(document)).map(({ name }) => name)).toEqual(['Second', 'First'])
  })

  test('is renamed, loses its name, is deleted', async () => {
    await type('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    expect(await versions.rename(document, id, 'Draft', bob)).toBe(true)
    expect(await versions.list(document)).toMatchObject([{ id, name: 'Draft' }])
    expect(await versions.rename(document, id, null, bob)).toBe(true)
    expect(await versions.list(document)).toMatchObject([{ id, name: null }])
    const other = await fixture.document(ada)
    expect([await versions.rename(other, id, 'x', bob), await versions.state(other, id)]).toEqual([
      false,
      null,
    ])
    expect([await versions.remove(other, id), await versions.remove(document, id)]).toEqual([false, true])
    expect(await versions.list(document)).toEqual([])
  })

  test(`[A6] there are at most ${MAX_NAMED}`, async () => {
    await type('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    const row = await fixture.db.selectFrom('versions').selectAll().executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_NAMED - 1 }, (_, n) => ({ ...row, id: `${n}` }))
    await fixture.db.insertInto('versions').values(more).execute()
    await expect(versions.create(document, 'One more', ada)).rejects.toThrow(TooManyVersions)
    expect(await versions.rename(document, id, 'Renamed', ada)).toBe(true)
    await versions.rename(document, id, null, ada)
    await type('b', ada)
    await versions.create(document, 'One more', ada)
    await expect(versions.rename(document, id, 'Back', ada)).rejects.toThrow(TooManyVersions)
  })

  test('[D4] a damaged one is refused, not served', async () => {
    await type('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    await fixture.db.updateTable('versions').set({ checksum: 1 }).execute()
    await expect(versions.state(document, id)).rejects.toThrow(/damaged/)
  })
})

test('[D5] merging and compressing happen in a thread of their own: the process has not even loaded Yjs', async () => {
  for (let n = 0; n < 50; n++) await type('words and more ', ada)
  const probe = fileURLToPath(new URL('./fixtures/versions-probe.ts', import.meta.url))
  await versions.close()
  await store.close()
  await using child = startChild(process.execPath, [probe, fixture.file, document])
  expect(JSON.parse((await child.ended).stdout)).toEqual({ named: ['Probe'], loadedYjs: false })
})
