import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { type AccessFixture, openAccessFixture } from '../fixtures/access-fixture.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { moveToTrash, purgeFromTrash } from '../api/trash.ts'
import { startChild } from '../fixtures/child-process.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createHoldableStore, type HoldableStore } from '../fixtures/holdable-store.ts'
import { createVersions, MAX_NAMED_VERSIONS, TooManyVersions, type Versions } from './create-versions.ts'

const MINUTE = 60_000

let fixture: AccessFixture
let store: HoldableStore
let clock: ManualClock
let versions: Versions
let ada: Principal
let bob: Principal
let document: string
let doc: Y.Doc

const createTestVersions = () => createVersions({ db: fixture.db, store, log: silentLogger, clock })

beforeEach(async () => {
  fixture = await openAccessFixture()
  store = createHoldableStore(fixture.store)
  clock = new ManualClock()
  versions = createTestVersions()
  ;[ada, bob] = (await Promise.all([fixture.createPerson(), fixture.createPerson()])).map(
    ({ principal }) => principal,
  ) as [Principal, Principal]
  document = await fixture.createDocument(ada)
  doc = new Y.Doc()
})
afterEach(async () => {
  await versions.close()
  await fixture[Symbol.asyncDispose]()
})

/** Edits as a room does: reports the edit once it is on disk. */
async function appendText(text: string, { id: principal }: Principal): Promise<void> {
  const before = Y.encodeStateVector(doc)
  doc.getText('title').insert(0, text)
  const update = Y.encodeStateAsUpdate(doc, before)
  await store.append([{ document, part: 'body', update, principal, session: 's', number: 1, clients: [] }])
  versions.onEdited(document, principal)
}

const textOf = async (version: string): Promise<string> => {
  const stored = new Y.Doc()
  Y.applyUpdate(stored, gunzipSync((await versions.state(document, version))!))
  return stored.getText('title').toJSON()
}

const versionTexts = async () => Promise.all((await versions.list(document)).map(({ id }) => textOf(id)))

/** Timers fire at once; the work that they start takes its time. */
const untilVersionCount = (count: number) =>
  waitUntil(async () => (await versions.list(document)).length === count)

describe('[D9] a version is made automatically', () => {
  test('ten minutes after the first edit since the last one, with its authors', async () => {
    await appendText('a', ada)
    await clock.pass(9 * MINUTE)
    await appendText('b', bob)
    expect(await versions.list(document)).toEqual([])
    await clock.pass(MINUTE)
    await untilVersionCount(1)
    const [version] = await versions.list(document)
    expect(version).toMatchObject({ name: null, createdAt: clock.now() })
    expect(version!.authors).toEqual([ada, bob].map(({ id, name }) => ({ id, name })))
    expect(await versionTexts()).toEqual(['ba'])
    await clock.pass(60 * MINUTE)
    await appendText('c', bob)
    await clock.pass(10 * MINUTE)
    await untilVersionCount(2)
    expect((await versions.list(document))[0]!.authors).toEqual([{ id: bob.id, name: bob.name }])
    expect(await versionTexts()).toEqual(['cba', 'ba'])
    expect(clock.timers).toBe(0)
  })

  test('when the last person has left, and not if nothing was written', async () => {
    versions.onLeft(document)
    await clock.pass(0)
    expect(clock.timers).toBe(0)
    await appendText('a', ada)
    versions.onLeft(document)
    await clock.pass(0)
    await untilVersionCount(1)
    versions.onLeft(document)
    await clock.pass(60 * MINUTE)
    expect(await versionTexts()).toEqual(['a'])
  })

  test('after a restart, though the log that names the authors was compacted', async () => {
    await appendText('a', ada)
    await appendText('b', bob)
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
    versions = createTestVersions()
    await versions.resume()
    await clock.pass(10 * MINUTE)
    await untilVersionCount(1)
    expect((await versions.list(document))[0]!.authors.map(({ id }) => id).sort()).toEqual(
      [ada.id, bob.id].sort(),
    )
    expect(await fixture.db.selectFrom('unversioned').selectAll().execute()).toEqual([])
  })

  test('[D3] later, if the store failed, with everybody who wrote until then', async () => {
    await appendText('a', ada)
    const { load } = store
    store.load = () => Promise.reject(new Error('disk'))
    await clock.pass(10 * MINUTE)
    await waitUntil(() => clock.timers === 1)
    store.load = load
    await appendText('b', bob)
    await clock.pass(10 * MINUTE)
    await untilVersionCount(1)
    expect((await versions.list(document))[0]!.authors).toHaveLength(2)
    expect(await versionTexts()).toEqual(['ba'])
  })

  test('also for a document in the trash, so that it is restored with it', async () => {
    await appendText('a', ada)
    await moveToTrash(fixture.db, document)
    versions.onLeft(document)
    await clock.pass(0)
    await untilVersionCount(1)
    expect(await versionTexts()).toEqual(['a'])
  })

  test('not for a document that was deleted for good meanwhile', async () => {
    await appendText('a', ada)
    await moveToTrash(fixture.db, document)
    await purgeFromTrash(fixture.db, ada, document)
    await expect(versions.create(document, 'Too late', ada)).rejects.toThrow()
    expect(await versions.list(document)).toEqual([])
    await appendText('b', bob)
    await versions.forgetDocument(document)
    expect(clock.timers).toBe(0)
  })
})

describe('a named version', () => {
  test('[D1] has all that is committed, and nothing else', async () => {
    await appendText('saved ', ada)
    store.hold()
    const unsaved = appendText('unsaved ', ada)
    const { id } = await versions.create(document, 'Before', ada)
    expect(await textOf(id)).toBe('saved ')
    store.release()
    await unsaved
  })

  test('is the newest one if nothing was written since; a second name makes a new one', async () => {
    await appendText('a', ada)
    versions.onLeft(document)
    await clock.pass(0)
    await untilVersionCount(1)
    const [automatic] = await versions.list(document)
    const first = await versions.create(document, 'First', bob)
    expect(first).toEqual({ ...automatic, name: 'First' })
    await clock.pass(1)
    const second = await versions.create(document, 'Second', bob)
    expect(second.authors).toEqual([])
    expect((await versions.list(document)).map(({ name }) => name)).toEqual(['Second', 'First'])
  })

  test('is renamed, loses its name, is deleted', async () => {
    await appendText('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    expect(await versions.rename(document, id, 'Draft', bob)).toBe(true)
    expect(await versions.list(document)).toMatchObject([{ id, name: 'Draft' }])
    expect(await versions.rename(document, id, null, bob)).toBe(true)
    expect(await versions.list(document)).toMatchObject([{ id, name: null }])
    const other = await fixture.createDocument(ada)
    expect([await versions.rename(other, id, 'x', bob), await versions.state(other, id)]).toEqual([
      false,
      null,
    ])
    expect([await versions.remove(other, id), await versions.remove(document, id)]).toEqual([false, true])
    expect(await versions.list(document)).toEqual([])
  })

  test(`[A6] there are at most ${MAX_NAMED_VERSIONS}`, async () => {
    await appendText('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    const row = await fixture.db.selectFrom('versions').selectAll().executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_NAMED_VERSIONS - 1 }, (_, n) => ({ ...row, id: `${n}` }))
    await fixture.db.insertInto('versions').values(more).execute()
    await expect(versions.create(document, 'One more', ada)).rejects.toThrow(TooManyVersions)
    expect(await versions.rename(document, id, 'Renamed', ada)).toBe(true)
    await versions.rename(document, id, null, ada)
    await appendText('b', ada)
    await versions.create(document, 'One more', ada)
    await expect(versions.rename(document, id, 'Back', ada)).rejects.toThrow(TooManyVersions)
  })

  test('[D4] a damaged one is refused, not served', async () => {
    await appendText('a', ada)
    const { id } = await versions.create(document, 'First', ada)
    await fixture.db.updateTable('versions').set({ checksum: 1 }).execute()
    await expect(versions.state(document, id)).rejects.toThrow(/damaged/)
  })
})

test('[D5] merging and compressing happen in a worker thread: the process has not loaded Yjs', async () => {
  for (let n = 0; n < 50; n++) await appendText('words and more ', ada)
  const probe = fileURLToPath(new URL('./fixtures/versions-probe.ts', import.meta.url))
  await versions.close()
  await store.close()
  await using child = startChild(process.execPath, [probe, fixture.database, document], {
    env: { ...process.env, DATA_DIR: fixture.dataDir },
  })
  expect(JSON.parse((await child.ended).stdout)).toEqual({ named: ['Probe'], loadedYjs: false })
})
