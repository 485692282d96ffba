/** moving-to-postgres.long.test.ts has the other kind of store. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { lockDataFolder } from '../../data-folder.ts'
import { countSizes } from '../document-sizes.ts'
import { textEdit } from '../fixtures/text-edits.ts'
import { exportStore } from './export-store.ts'
import { fileBytes, fileKey, LONG_DOCUMENT } from './fixtures/fill-store.ts'
import {
  type MovingFixture,
  contentsOf,
  countRows,
  openLocated,
  openStoreForEachTest,
  refusalOf,
  withStore,
} from './fixtures/moving-fixture.ts'
import { importStore } from './import-store.ts'
import { documentTables, ownTables } from './moved-tables.ts'
import { withoutServers } from './store-location.ts'

let fixture: MovingFixture

describe('from SQLite', () => {
  openStoreForEachTest((opened) => (fixture = opened))

  test('every table of the store moves, or belongs to one store alone', async () => {
    await withStore(fixture.source, async ({ db }) => {
      const tables = (await db.introspection.getTables()).map(({ name }) => name)
      const moved = [...ownTables, ...documentTables].map(({ name }) => name)
      expect(tables.toSorted()).toEqual(
        [
          ...moved,
          'document_sizes',
          'epoch',
          'file_contents',
          'file_storage',
          'folder_trees',
          'file_uploads',
          'health',
          'installation',
        ].toSorted(),
      )
      for (const { name } of tables.map((table) => ({ name: table })))
        if (moved.includes(name as never)) {
          const { rows } = await sql<{
            rows: number
          }>`select count(*) as rows from ${sql.table(name)}`.execute(db)
          expect(rows[0]!.rows, name).toBeGreaterThan(0)
        }
    })
  })

  test('to SQLite: the same rows, counts and hash, and the source stays as it was', async () => {
    const before = await readFile((fixture.source as { file: string }).file)
    const exported = await exportStore(fixture.source, fixture.fileNamed('export'))
    expect((await readFile((fixture.source as { file: string }).file)).equals(before)).toBe(true)
    expect(exported.documents).toBe(5)
    expect((await stat(fixture.fileNamed('export'))).mode & 0o777).toBe(0o600)

    const target = await fixture.locate('target')
    const imported = await importStore(target, fixture.fileNamed('export'))
    const { missingContents, ...summary } = exported
    expect(missingContents).toEqual([])
    expect(imported).toEqual({ ...summary, keptDocuments: 0, differing: [] })
    const contents = await withStore(fixture.source, ({ db }) => contentsOf(db))
    expect(contents[LONG_DOCUMENT]!.length).toBeGreaterThan(1100)
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(contents)
    expect((await exportStore(target, fixture.fileNamed('again'))).hash).toBe(exported.hash)
    await withStore(target, async ({ db }) => {
      const sizes = db.selectFrom('document_sizes').selectAll().orderBy('document').orderBy('part')
      expect(await sizes.execute()).toEqual(await countSizes(db))
    })
  })

  test('--merge leaves what is there as it is, adds the rest, and says which documents differ', async () => {
    const file = await fixture.exportSource()
    const target = await fixture.locate('target')
    await importStore(target, file)
    await withStore(target, async ({ db, documents }) => {
      await documents.append([textEdit(LONG_DOCUMENT, 'more')])
      await db.deleteFrom('documents').where('id', '=', 'document_short').execute()
      for (const { name } of documentTables)
        if (name !== 'documents')
          await sql`delete from ${sql.table(name)} where document = 'document_short'`.execute(db)
      await db.updateTable('user').set({ name: 'changed' }).where('id', '=', 'ada').execute()
    })
    const before = await withStore(target, ({ db }) => contentsOf(db))
    const outcome = await importStore(target, file, { merge: true })
    expect(outcome).toMatchObject({ keptDocuments: 4, differing: [`document ${LONG_DOCUMENT}`] })
    const after = await withStore(target, ({ db }) => contentsOf(db))
    const { document_short, ...others } = after
    expect(document_short).toHaveLength(9 + 1 + 3)
    expect(others).toEqual(before)
  })

  test('a document that cannot be written leaves nothing of itself', async () => {
    const target = await fixture.locate('target')
    await withStore(target, ({ db }) =>
      sql`create trigger refuse before insert on log when new.document = ${sql.lit(LONG_DOCUMENT)} and new.sequence = 900
          begin select raise(abort, 'it is refused'); end`.execute(db),
    )
    expect(await refusalOf(importStore(target, await fixture.exportSource()))).toBe(
      `Nothing of document ${LONG_DOCUMENT} was imported: it is refused.`,
    )
    await withStore(target, async ({ db }) => {
      const contents = await contentsOf(db)
      expect(contents[LONG_DOCUMENT]).toBeUndefined()
      await sql`drop trigger refuse`.execute(db)
    })
    expect((await importStore(target, fixture.fileNamed('export'), { merge: true })).differing).toEqual([])
    const expected = await withStore(fixture.source, ({ db }) => contentsOf(db))
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(expected)
  })

  test('[F3] the bytes of files move, each once, and are read from the other storage', async () => {
    const target = await fixture.locate('target')
    await importStore(target, await fixture.exportSource())
    const keys: string[] = []
    for await (const { key } of target.files.list()) keys.push(key)
    expect(keys).toEqual([expect.stringContaining(fileKey.slice(0, 64))])
    expect((await buffer((await target.files.open(keys[0]!))!)).equals(fileBytes)).toBe(true)
    const again = await importStore(target, fixture.fileNamed('export'), { merge: true })
    expect(again.differing).toEqual([])
    expect(existsSync(join(target.dataDir, 'uploads', 'import'))).toBe(false)
  })

  test('bytes that are not where they were stored are named, and do not stop a backup', async () => {
    await fixture.source.files.delete(fileKey)
    const exported = await exportStore(fixture.source, fixture.fileNamed('export'))
    expect(exported.missingContents).toEqual([fileKey.slice(0, 64)])
    const target = await fixture.locate('target')
    expect((await importStore(target, fixture.fileNamed('export'))).hash).toBe(exported.hash)
  })
})

describe('from SQLite, without long documents', () => {
  openStoreForEachTest((opened) => (fixture = opened), { short: true })

  test('the next start takes the imported store for restored, so that open windows bring back what it lacks', async () => {
    const target = await fixture.locate('target')
    await importStore(target, await fixture.exportSource())
    await withStore(target, async ({ restoredAt }) => expect(restoredAt).not.toBeNull())
  })

  test('a store with something in it is refused, and stays as it is', async () => {
    const target = await fixture.locate('target')
    await withStore(target, ({ documents }) => documents.append([textEdit('other', 'x')]))
    const old = join(target.dataDir, 'old')
    expect(await refusalOf(importStore(target, await fixture.exportSource()))).toContain(
      `has documents or people already: move it away by mkdir "${old}" && mv "${target.name}"* "${old}", and import again. With --merge`,
    )
    await withStore(target, async ({ db, restoredAt }) => {
      expect(Object.keys(await contentsOf(db))).toContain('other')
      expect(await countRows(db)).toBe(1)
      expect(restoredAt).toBeNull()
    })
  })

  test('--merge refuses a person whose e-mail address somebody else has, with nothing written', async () => {
    const file = await fixture.exportSource()
    const target = await fixture.locate('target')
    await withStore(target, async ({ db }) => {
      const person = { name: '', image: null, isAnonymous: 1, createdAt: '', updatedAt: '', emailVerified: 0 }
      await db
        .insertInto('user')
        .values({ id: 'eve', email: 'bob@guests.invalid', ...person })
        .execute()
    })
    expect(await refusalOf(importStore(target, file, { merge: true }))).toBe(
      'Nothing of table user was imported: a row of user clashes with another one of the store (bob).',
    )
    await withStore(target, async ({ db }) => expect(await countRows(db)).toBe(1))
  })

  test('a file that is there is not written over, and a failure leaves none', async () => {
    const file = await fixture.exportSource()
    expect(await refusalOf(exportStore(fixture.source, file))).toContain('is there already')
    expect(await refusalOf(exportStore(fixture.source, fixture.fileNamed('none/b')))).toBe(
      `${fixture.fileNamed('none/b')} cannot be written: there is no folder ${fixture.fileNamed('none')}.`,
    )
    await withStore(fixture.source, ({ db }) =>
      sql`insert into kysely_migration values ('9999-future', '')`.execute(db),
    )
    expect(await refusalOf(exportStore(fixture.source, fixture.fileNamed('b')))).toMatch(
      /cannot be read: it belongs to a newer Diptych \(its tables are those of 9999-future/,
    )
    expect(existsSync(fixture.fileNamed('b'))).toBe(false)
    expect(existsSync(fixture.fileNamed('b.part'))).toBe(false)
  })

  test('while a server has the folder, nothing is exported or imported, and a backup is made all the same', async () => {
    const unlock = lockDataFolder(fixture.source.dataDir)
    const exporting = withoutServers(fixture.source, () =>
      exportStore(fixture.source, fixture.fileNamed('export')),
    )
    expect(await refusalOf(exporting)).toContain(
      'stop all servers first; only a backup is made while they run.',
    )
    const running = await openLocated(fixture.source)
    await running.documents.append([textEdit('written-while-it-runs', 'x')])
    const backup = await exportStore(fixture.source, fixture.fileNamed('backup'))
    expect(backup.documents).toBe(4)
    expect(await refusalOf(importStore(fixture.source, fixture.fileNamed('backup')))).toContain(
      'which a server uses already',
    )
    await running.close()
    unlock()
  })

  test('a backup has the folder’s secret and certificate, which a restore brings into an empty folder alone', async () => {
    await mkdir(join(fixture.source.dataDir, 'tls'))
    await writeFile(join(fixture.source.dataDir, 'secret'), 'key')
    await writeFile(join(fixture.source.dataDir, 'tls', 'leaf-key.pem'), 'pem')
    const file = await fixture.exportSource()
    const target = await fixture.locate('target')
    await importStore(target, file, { files: true })
    expect(await readFile(join(target.dataDir, 'secret'), 'utf8')).toBe('key')
    expect(await readFile(join(target.dataDir, 'tls', 'leaf-key.pem'), 'utf8')).toBe('pem')
    const other = await fixture.locate('other')
    await importStore(other, file)
    expect(existsSync(join(other.dataDir, 'secret'))).toBe(false)
    const third = await fixture.locate('third')
    await writeFile(join(third.dataDir, 'secret'), 'its own')
    expect(await refusalOf(importStore(third, file, { files: true }))).toContain('has a file secret already')
  })
})
