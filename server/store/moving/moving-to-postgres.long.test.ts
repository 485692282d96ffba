import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { leaseDatabase, type TestDatabase } from '../fixtures/postgres-databases.ts'
import { describePostgres } from '../fixtures/postgres-fixture.ts'
import type { Store } from '../document-store.ts'
import { textEdit } from '../fixtures/text-edits.ts'
import { exportStore } from './export-store.ts'
import { DESK, LONG_DOCUMENT } from './fixtures/fill-store.ts'
import {
  type MovingFixture,
  contentsOf,
  openLocated,
  openStoreForEachTest,
  refusalOf,
  withStore,
} from './fixtures/moving-fixture.ts'
import { checkExportFile, importStore } from './import-store.ts'
import { type StoreLocation, withoutServers } from './store-location.ts'

let fixture: MovingFixture
openStoreForEachTest((opened) => (fixture = opened))

describePostgres('from SQLite to PostgreSQL and back', () => {
  let database: TestDatabase
  let target: StoreLocation
  beforeEach(async () => {
    database = await leaseDatabase()
    target = await fixture.locate('target', database.url)
  })
  afterEach(() => database[Symbol.asyncDispose]())

  test('the same rows and the same hash, in both directions', async () => {
    const exported = await exportStore(fixture.source, fixture.fileNamed('export'))
    const imported = await importStore(target, fixture.fileNamed('export'))
    expect(imported.hash).toBe(exported.hash)
    const contents = await withStore(fixture.source, ({ db }) => contentsOf(db))
    await withStore(target, async ({ restoredAt }) => expect(restoredAt).not.toBeNull())
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(contents)

    expect((await exportStore(target, fixture.fileNamed('from postgres'))).hash).toBe(exported.hash)
    const back = await fixture.locate('back')
    expect((await importStore(back, fixture.fileNamed('from postgres'))).hash).toBe(exported.hash)
    const titles = await withStore(back, ({ db }) => db.selectFrom('documents').select('title').execute())
    // U+0000, which PostgreSQL cannot hold.
    expect(titles.map(({ title }) => title)).toContain('a\uFFFDb')
  })

  test('a snapshot in pieces is loaded there, and its pieces go with it', async () => {
    await importStore(target, await fixture.exportSource())
    const load = (store: Store) => store.documents.load(DESK, 'desk')
    const loaded = await withStore(fixture.source, load)
    await withStore(target, async (store) => {
      const moved = await load(store)
      expect(moved.updates.map((update) => [...update])).toEqual(loaded.updates.map((update) => [...update]))
      await store.documents.compact(DESK, 'desk', Uint8Array.of(5), moved.sequence)
      expect((await load(store)).updates.map((update) => [...update])).toEqual([[5]])
      const pieces = store.db.selectFrom('snapshot_pieces').where('document', '=', DESK)
      expect(await pieces.selectAll().execute()).toEqual([])
    })
  })

  test('while a server has the database, nothing is exported or imported, and a backup is made all the same', async () => {
    const running = await openLocated(target)
    await running.documents.append([textEdit(DESK, 'x', 'desk')])
    const exporting = withoutServers(target, () => exportStore(target, fixture.fileNamed('export')))
    const refusal = `DATABASE_URL is "${target.name}", which a server uses: stop all servers first; only a backup is made while they run.`
    expect(await refusalOf(exporting)).toBe(refusal)
    expect((await exportStore(target, fixture.fileNamed('backup'))).documents).toBe(1)
    expect(await refusalOf(importStore(target, fixture.fileNamed('backup')))).toBe(refusal)
    await running.close()
    await withoutServers(target, () => checkExportFile(fixture.fileNamed('backup')))
  })

  test('a document that cannot be written leaves nothing of itself', async () => {
    await withStore(target, ({ db }) =>
      sql`alter table log add constraint refuse check (sequence <> 900)`.execute(db),
    )
    expect(await refusalOf(importStore(target, await fixture.exportSource()))).toMatch(
      new RegExp(`^Nothing of document ${LONG_DOCUMENT} was imported: .*"refuse"\\.$`),
    )
    await withStore(target, async ({ db }) => {
      await sql`alter table log drop constraint refuse`.execute(db)
      expect((await contentsOf(db))[LONG_DOCUMENT]).toBeUndefined()
    })
  })
})
