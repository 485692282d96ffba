import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { textEdit, textsOf } from './fixtures/text-edits.ts'
import { createSqliteFixture, createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { openSqliteStore } from './sqlite.ts'
import { describeDocumentStore } from './store.contract.ts'

describeDocumentStore('SQLite', createSqliteFixture)

test('[D1] edits are committed between the steps in which a long text is loaded, and closing waits for the rest', async () => {
  const store = await openSqliteStore({ file: join(await createStoreFolder(), 'store.sqlite') })
  const { documents } = store
  const update = new Uint8Array(1024 * 1024)
  for (let count = 0; count < 16; count++) await documents.append([{ ...textEdit('d', ''), update }])
  const finished: string[] = []
  const load = async (name: string) => {
    const loaded = await documents.load('d', 'body')
    finished.push(name)
    return loaded.logLength
  }
  const first = load('loaded')
  const appended = documents.append([textEdit('d', 'late')]).then(() => finished.push('committed'))
  expect(await Promise.all([first, appended])).toEqual([16, 1])
  expect(finished).toEqual(['committed', 'loaded'])
  const last = load('loaded again')
  await store.close()
  expect(await last).toBe(17)
})

describe('opening a SQLite store', () => {
  let folder: string
  beforeEach(async () => {
    folder = await createStoreFolder()
  })

  const pragma = async (file: string, name: string) => {
    const store = await openSqliteStore({ file })
    const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(store.db)
    await store.close()
    return Object.values(rows[0]!)[0]
  }

  test('[D1] sets up write-ahead log, full sync and foreign keys', async () => {
    const file = join(folder, 'store.sqlite')
    expect(await pragma(file, 'journal_mode')).toBe('wal')
    expect(await pragma(file, 'synchronous')).toBe(2)
    expect(await pragma(file, 'foreign_keys')).toBe(1)
  })

  test('a second time does not migrate again', async () => {
    const file = join(folder, 'store.sqlite')
    const first = await openSqliteStore({ file })
    await first.documents.append([textEdit('d', 'one')])
    await first.close()
    const second = await openSqliteStore({ file })
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
      second.db,
    )
    expect(rows.map((row) => row.name)).toEqual(['0001-tables'])
    expect(textsOf(await second.documents.load('d', 'body'))).toEqual(['one'])
    await second.close()
  })

  test('leaves no log file behind when closed', async () => {
    const file = join(folder, 'store.sqlite')
    await (await openSqliteStore({ file })).close()
    await expect(rm(`${file}-wal`)).rejects.toThrow('ENOENT')
  })

  test('what cannot be opened is reported in one sentence with its path', async () => {
    const missing = join(folder, 'nowhere', 'store.sqlite')
    await expect(openSqliteStore({ file: missing })).rejects.toThrow(
      `The database ${missing} cannot be opened: unable to open database file.`,
    )
    await mkdir(join(folder, 'a-folder'))
    await expect(openSqliteStore({ file: join(folder, 'a-folder') })).rejects.toThrow(
      'a-folder cannot be opened',
    )
    const garbage = join(folder, 'garbage')
    await writeFile(
      garbage,
      'not a database, but long enough to be taken for the header of one, as SQLite reads 100',
    )
    await expect(openSqliteStore({ file: garbage })).rejects.toThrow(
      `The database ${garbage} cannot be opened: file is not a database.`,
    )
  })

  // Root can write everywhere, so the rule cannot be tested.
  test.skipIf(process.getuid?.() === 0)('what cannot be written is refused', async () => {
    const file = join(folder, 'store.sqlite')
    await (await openSqliteStore({ file })).close()
    await chmod(file, 0o444)
    await expect(openSqliteStore({ file })).rejects.toThrow(
      `The database ${file} cannot be opened: attempt to write`,
    )
  })

  test.each([
    [
      'a newer version',
      '9999-future',
      /cannot be opened: it belongs to a newer Diptych \(its tables are those of 9999-future,/,
    ],
    [
      'a time before the first release',
      '0001-log',
      /cannot be opened: it belongs to a Diptych from before the first release/,
    ],
  ])('a database of %s is refused', async (_what, migration, sentence) => {
    const file = join(folder, 'store.sqlite')
    const store = await openSqliteStore({ file })
    await sql`insert into kysely_migration values (${migration}, '2100-01-01')`.execute(store.db)
    await store.close()
    await expect(openSqliteStore({ file })).rejects.toThrow(sentence)
  })
})
