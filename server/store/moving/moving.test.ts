import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockDataFolder } from '../../data-folder.ts'
import { EXIT } from '../../exit-codes.ts'
import { startChild } from '../../fixtures/child-process.ts'
import { type TemporaryFolder, temporaryFolder } from '../../fixtures/temporary-folder.ts'
import { createSeededRandom } from '../../../lib/fixtures/seeded-random.ts'
import type { Store } from '../document-store.ts'
import { leaseDatabase, type TestDatabase } from '../fixtures/postgres-databases.ts'
import { describePostgres } from '../fixtures/postgres-fixture.ts'
import { latestMigration } from '../migrations/index.ts'
import { openPostgresStore } from '../postgres.ts'
import type { Database } from '../schema.ts'
import { openSqliteStore } from '../sqlite.ts'
import { textEdit } from '../fixtures/text-edits.ts'
import { exportStore } from './export-store.ts'
import { DESK, fillStore, LONG_DOCUMENT } from './fixtures/fill-store.ts'
import { checkExportFile, importStore } from './import-store.ts'
import { documentTables, ownTables } from './moved-tables.ts'
import { readRow } from './moved-rows.ts'
import { locateStore, type StoreLocation, withoutServers } from './store-location.ts'
import { UsageError } from '../../usage-error.ts'
import { runStoreCommand } from './store-command.ts'
import { rowsOfSection, sectionsOf } from './store-sections.ts'

/** Has a store that was filled once, since that takes a while. */
let template: TemporaryFolder
let folder: TemporaryFolder
let source: StoreLocation

const locateIn = async (name: string, databaseUrl: string | null = null): Promise<StoreLocation> => {
  const dataDir = join(folder.path, name)
  await mkdir(dataDir, { recursive: true })
  return locateStore({ dataDir, databaseUrl })
}

const open = (location: StoreLocation): Promise<Store> =>
  location.kind === 'sqlite' ? openSqliteStore({ file: location.file }) : openPostgresStore(location)

async function withStore<Answer>(
  location: StoreLocation,
  run: (store: Store) => Promise<Answer>,
): Promise<Answer> {
  const store = await open(location)
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

const removeLongDocuments = () =>
  withStore(source, async ({ db }) => {
    for (const { name, document } of documentTables)
      await sql`delete from ${sql.table(name)} where ${sql.ref(document!)} in (${LONG_DOCUMENT}, 'document_short')`.execute(
        db,
      )
  })

const fileNamed = (name: string) => join(folder.path, name)

async function exportSource(name = 'export'): Promise<string> {
  await exportStore(source, fileNamed(name))
  return fileNamed(name)
}

const startStoreProgram = (dataDir: string, ...args: string[]) =>
  startChild(process.execPath, ['scripts/store.ts', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv,
  })

/** Returns all that the store has, by its sections: each row with its values of bytes as a hash. */
async function contentsOf(db: Kysely<Database>): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {}
  for await (const section of sectionsOf(db)) {
    const rows = (contents[section.name] = [] as unknown[])
    for await (const row of rowsOfSection(db, section)) {
      const { table, values } = readRow(row)
      const shown = Object.entries(values).map(([column, value]) => [
        column,
        value instanceof Uint8Array ? hash('sha256', value) : value,
      ])
      rows.push({ table, ...Object.fromEntries(shown) })
    }
  }
  return contents
}

const rowsIn = async (db: Kysely<Database>): Promise<number> => {
  let rows = 0
  for (const { name } of [...ownTables, ...documentTables])
    rows += Number(
      (await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(db)).rows[0]!
        .rows,
    )
  return rows
}

const refusalOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'it was done',
    (error: Error) => error.message,
  )

beforeAll(async () => {
  template = await temporaryFolder()
  const location = await locateStore({ dataDir: template.path, databaseUrl: null })
  await withStore(location, ({ db }) => fillStore(db))
})
afterAll(() => template[Symbol.asyncDispose]())
beforeEach(async () => {
  folder = await temporaryFolder()
  source = await locateIn('source')
  await cp(template.path, source.dataDir, { recursive: true })
})
afterEach(() => folder[Symbol.asyncDispose]())

describe('from SQLite', () => {
  test('every table of the store moves, or belongs to one store alone', async () => {
    await withStore(source, async ({ db }) => {
      const tables = (await db.introspection.getTables()).map(({ name }) => name)
      const moved = [...ownTables, ...documentTables].map(({ name }) => name)
      expect(tables.toSorted()).toEqual([...moved, 'epoch', 'health', 'installation'].toSorted())
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
    const before = await readFile((source as { file: string }).file)
    const exported = await exportStore(source, fileNamed('export'))
    expect((await readFile((source as { file: string }).file)).equals(before)).toBe(true)
    expect(exported.documents).toBe(5)
    expect((await stat(fileNamed('export'))).mode & 0o777).toBe(0o600)

    const target = await locateIn('target')
    const imported = await importStore(target, fileNamed('export'))
    expect(imported).toEqual({ ...exported, keptDocuments: 0, differing: [] })
    const contents = await withStore(source, ({ db }) => contentsOf(db))
    expect(contents[LONG_DOCUMENT]!.length).toBeGreaterThan(1100)
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(contents)
    expect((await exportStore(target, fileNamed('again'))).hash).toBe(exported.hash)
  })

  test('the next start takes the imported store for restored, so that open windows bring back what it lacks', async () => {
    const target = await locateIn('target')
    await importStore(target, await exportSource())
    await withStore(target, async ({ restoredAt }) => expect(restoredAt).not.toBeNull())
  })

  test('a store with something in it is refused, and stays as it is', async () => {
    const target = await locateIn('target')
    await withStore(target, ({ documents }) => documents.append([textEdit('other', 'x')]))
    const old = join(target.dataDir, 'old')
    expect(await refusalOf(importStore(target, await exportSource()))).toContain(
      `has documents or people already: move it away by mkdir "${old}" && mv "${target.name}"* "${old}", and import again. With --merge`,
    )
    await withStore(target, async ({ db, restoredAt }) => {
      expect(Object.keys(await contentsOf(db))).toContain('other')
      expect(await rowsIn(db)).toBe(1)
      expect(restoredAt).toBeNull()
    })
  })

  test('--merge leaves what is there as it is, adds the rest, and says which documents differ', async () => {
    const file = await exportSource()
    const target = await locateIn('target')
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
    expect(document_short).toHaveLength(8 + 1)
    expect(others).toEqual(before)
  })

  test('--merge fails when a document differs from the file, and claims no hash', async () => {
    await removeLongDocuments()
    const file = await exportSource()
    await withStore(source, ({ documents }) => documents.append([textEdit(DESK, 'more', 'desk')]))
    await using child = startStoreProgram(source.dataDir, 'import', file, '--merge')
    expect(await child.ended).toMatchObject({
      code: EXIT.failed,
      stdout: `${file} was merged into ${source.name}: 0 of its 3 documents and desks were added, and read again from there; 3 were there already and stay as they are.
  document ${DESK} differs from the file.
`,
      stderr: expect.stringMatching(/^Not everything was imported: .*\n$/) as string,
    })
  })

  test('the old file moves away as the refusal says, and the import then has everything', async () => {
    await removeLongDocuments()
    const file = await exportSource()
    const target = await locateIn('a folder')
    await withStore(target, ({ documents }) => documents.append([textEdit(DESK, 'of before', 'desk')]))
    const [, command] = /by (mkdir .*), and import again/.exec(await refusalOf(importStore(target, file)))!
    await using shell = startChild('sh', ['-c', command!], {})
    expect(await shell.ended).toMatchObject({ code: 0 })
    expect((await importStore(target, file)).differing).toEqual([])
    await withStore(target, async ({ restoredAt, db }) => {
      expect(restoredAt).not.toBeNull()
      expect(await contentsOf(db)).toEqual(await withStore(source, (store) => contentsOf(store.db)))
    })
  })

  test('--merge refuses a person whose e-mail address somebody else has, with nothing written', async () => {
    const file = await exportSource()
    const target = await locateIn('target')
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
    await withStore(target, async ({ db }) => expect(await rowsIn(db)).toBe(1))
  })

  test('a document that cannot be written leaves nothing of itself', async () => {
    const target = await locateIn('target')
    await withStore(target, ({ db }) =>
      sql`create trigger refuse before insert on log when new.document = ${sql.lit(LONG_DOCUMENT)} and new.sequence = 900
          begin select raise(abort, 'it is refused'); end`.execute(db),
    )
    expect(await refusalOf(importStore(target, await exportSource()))).toBe(
      `Nothing of document ${LONG_DOCUMENT} was imported: it is refused.`,
    )
    await withStore(target, async ({ db }) => {
      const contents = await contentsOf(db)
      expect(contents[LONG_DOCUMENT]).toBeUndefined()
      await sql`drop trigger refuse`.execute(db)
    })
    expect((await importStore(target, fileNamed('export'), { merge: true })).differing).toEqual([])
    const expected = await withStore(source, ({ db }) => contentsOf(db))
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(expected)
  })

  describe('a file that is not as it was written is refused in one sentence, with nothing written', () => {
    let target: StoreLocation
    let file: string
    let bytes: Buffer
    beforeEach(async () => {
      await removeLongDocuments()
      target = await locateIn('target')
      file = await exportSource()
      bytes = await readFile(file)
    })

    const expectRefusal = async (sentence: RegExp) => {
      expect(await refusalOf(importStore(target, file))).toMatch(sentence)
      expect(existsSync((target as { file: string }).file)).toBe(false)
    }

    test('cut anywhere', async () => {
      const random = createSeededRandom(3)
      const lengths = [
        0,
        5,
        16,
        bytes.length - 1,
        ...Array.from({ length: 40 }, () => random.between(0, bytes.length - 1)),
      ]
      for (const length of lengths.toSorted((a, b) => b - a)) {
        await truncate(file, length)
        await expectRefusal(/^Nothing was imported: .* is (no export of Diptych|cut off after byte \d+)\.$/)
      }
    })

    test('one bit changed anywhere', async () => {
      const random = createSeededRandom(4)
      for (let index = 0; index < 150; index++) {
        const at = index < 20 ? index : random.between(0, bytes.length - 1)
        await writeFile(file, bytes.with(at, bytes[at]! ^ (1 << random.between(0, 7))))
        await expectRefusal(/\.$/)
      }
    })

    test('something behind its end', async () => {
      await writeFile(file, Buffer.concat([bytes, Buffer.of(0)]))
      await expectRefusal(/^Nothing was imported: .* is damaged before byte \d+\.$/)
    })

    test.each([
      ['"format":1', '"format":2', /written by a newer Diptych .* import it with that one\.$/],
      ['"format":1', '"format":0', /written by an older Diptych .* import it with that one, whose store/],
      [latestMigration, '9999-trash', /written by a newer Diptych/],
      [latestMigration, '0001-trash', /written by an older Diptych/],
    ])('%s that is %s', async (found, replacement, sentence) => {
      await writeFile(file, Buffer.from(bytes.toString('latin1').replace(found, replacement), 'latin1'))
      await expectRefusal(sentence)
    })

    test('another program’s file, and none', async () => {
      await writeFile(file, 'SQLite format 3\0')
      await expectRefusal(/is no export of Diptych\.$/)
      file += '-missing'
      await expectRefusal(/cannot be read: there is no such file\.$/)
    })
  })

  test('a file that is there is not written over, and a failure leaves none', async () => {
    const file = await exportSource()
    expect(await refusalOf(exportStore(source, file))).toContain('is there already')
    expect(await refusalOf(exportStore(source, fileNamed('none/b')))).toBe(
      `${fileNamed('none/b')} cannot be written: there is no folder ${fileNamed('none')}.`,
    )
    await withStore(source, ({ db }) =>
      sql`insert into kysely_migration values ('9999-future', '')`.execute(db),
    )
    expect(await refusalOf(exportStore(source, fileNamed('b')))).toMatch(
      /is the store of a newer Diptych \(9999-future\)/,
    )
    expect(existsSync(fileNamed('b'))).toBe(false)
    expect(existsSync(fileNamed('b.part'))).toBe(false)
  })

  test('while a server has the folder, nothing is exported or imported, and a backup is made all the same', async () => {
    const unlock = lockDataFolder(source.dataDir)
    const exporting = withoutServers(source, () => exportStore(source, fileNamed('export')))
    expect(await refusalOf(exporting)).toContain(
      'stop all servers first; only a backup is made while they run.',
    )
    const running = await open(source)
    await running.documents.append([textEdit('written-while-it-runs', 'x')])
    const backup = await exportStore(source, fileNamed('backup'))
    expect(backup.documents).toBe(6)
    expect(await refusalOf(importStore(source, fileNamed('backup')))).toContain('which a server uses already')
    await running.close()
    unlock()
  })

  test('a backup has the folder’s secret and certificate, which a restore brings into an empty folder alone', async () => {
    await mkdir(join(source.dataDir, 'tls'))
    await writeFile(join(source.dataDir, 'secret'), 'key')
    await writeFile(join(source.dataDir, 'tls', 'leaf-key.pem'), 'pem')
    const file = await exportSource()
    const target = await locateIn('target')
    await importStore(target, file, { files: true })
    expect(await readFile(join(target.dataDir, 'secret'), 'utf8')).toBe('key')
    expect(await readFile(join(target.dataDir, 'tls', 'leaf-key.pem'), 'utf8')).toBe('pem')
    const other = await locateIn('other')
    await importStore(other, file)
    expect(existsSync(join(other.dataDir, 'secret'))).toBe(false)
    const third = await locateIn('third')
    await writeFile(join(third.dataDir, 'secret'), 'its own')
    expect(await refusalOf(importStore(third, file, { files: true }))).toContain('has a file secret already')
  })

  test('the program says what it did, and with which hash', async () => {
    const file = fileNamed('file')
    await using child = startStoreProgram(source.dataDir, 'export', file)
    const { code, stdout, stderr } = await child.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [summary] = /5 documents and desks, \d+ rows, sha256 [\da-f]{64}\.$/m.exec(stdout)!

    const run = async (dataDir: string, ...args: string[]) => {
      const lines: string[] = []
      const terminal = { isTTY: true, write: (text: string) => lines.push(text) > 0 }
      const output = { terminal, print: (line: string) => lines.push(line) }
      await runStoreCommand({ dataDir: fileNamed(dataDir), databaseUrl: null }, args, output)
      return lines.join('\n')
    }
    expect(await run('x', 'check', file)).toBe(`${file} is whole: ${summary}`)
    expect(await run('x', '--help')).toMatch(/^Allowed is one of:\n/)
    expect(await refusalOf(run('x', 'check', fileNamed('missing')))).toBe(
      `${fileNamed('missing')} cannot be read: there is no such file.`,
    )
    expect(await refusalOf(run('x', 'import', file, '--all'))).toMatch(
      /^Unknown option '--all'\. Allowed is one of:\n/,
    )
    expect(await run('target', 'import', file)).toMatch(
      /Importing: 0 documents and desks, 0\.0 of [\d.]+ MiB/,
    )
    expect(await run('restored', 'restore', file)).toContain(summary)
    expect(await run('restored', 'import', file, '--merge')).toContain(
      `${file} was merged into ${fileNamed('restored/diptych.sqlite')}: 0 of its 5 documents and desks were added, and read again from there; 5 were there already and stay as they are.`,
    )
    expect(await refusalOf(run('target', 'import', file))).toContain('move it away')
    for (const args of [
      [],
      ['export'],
      ['move', file],
      ['export', file, '--merge'],
      ['import', file, '--all'],
    ])
      await expect(run('x', ...args)).rejects.toThrow(UsageError)
    expect(existsSync(fileNamed('x'))).toBe(false)
  })
})

describePostgres('from SQLite to PostgreSQL and back', () => {
  let database: TestDatabase
  let target: StoreLocation
  beforeEach(async () => {
    database = await leaseDatabase()
    target = await locateIn('target', database.url)
  })
  afterEach(() => database[Symbol.asyncDispose]())

  test('the same rows and the same hash, in both directions', async () => {
    const exported = await exportStore(source, fileNamed('export'))
    const imported = await importStore(target, fileNamed('export'))
    expect(imported.hash).toBe(exported.hash)
    const contents = await withStore(source, ({ db }) => contentsOf(db))
    await withStore(target, async ({ restoredAt }) => expect(restoredAt).not.toBeNull())
    expect(await withStore(target, ({ db }) => contentsOf(db))).toEqual(contents)

    expect((await exportStore(target, fileNamed('from postgres'))).hash).toBe(exported.hash)
    const back = await locateIn('back')
    expect((await importStore(back, fileNamed('from postgres'))).hash).toBe(exported.hash)
    const titles = await withStore(back, ({ db }) => db.selectFrom('documents').select('title').execute())
    // U+0000, which PostgreSQL cannot hold.
    expect(titles.map(({ title }) => title)).toContain('a\uFFFDb')
  })

  test('while a server has the database, nothing is exported or imported, and a backup is made all the same', async () => {
    const running = await open(target)
    await running.documents.append([textEdit(DESK, 'x', 'desk')])
    const exporting = withoutServers(target, () => exportStore(target, fileNamed('export')))
    const refusal = `DATABASE_URL is "${target.name}", which a server uses: stop all servers first; only a backup is made while they run.`
    expect(await refusalOf(exporting)).toBe(refusal)
    expect((await exportStore(target, fileNamed('backup'))).documents).toBe(1)
    expect(await refusalOf(importStore(target, fileNamed('backup')))).toBe(refusal)
    await running.close()
    await withoutServers(target, () => checkExportFile(fileNamed('backup')))
  })

  test('a document that cannot be written leaves nothing of itself', async () => {
    await withStore(target, ({ db }) =>
      sql`alter table log add constraint refuse check (sequence <> 900)`.execute(db),
    )
    expect(await refusalOf(importStore(target, await exportSource()))).toMatch(
      new RegExp(`^Nothing of document ${LONG_DOCUMENT} was imported: .*"refuse"\\.$`),
    )
    await withStore(target, async ({ db }) => {
      await sql`alter table log drop constraint refuse`.execute(db)
      expect((await contentsOf(db))[LONG_DOCUMENT]).toBeUndefined()
    })
  })
})
