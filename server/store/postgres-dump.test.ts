/** Rehearses the backup and restore of docs/operations/moving.md with PostgreSQL's own programs, while the server writes. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { startChild } from '../fixtures/child-process.ts'
import { postgresProgram } from './fixtures/postgres-cluster.ts'
import { leaseDatabase, runInDatabase, unusedDatabase } from './fixtures/postgres-databases.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { numberedEdit, textsOf } from './fixtures/text-edits.ts'
import { openPostgresStore } from './postgres.ts'

const run = async (program: string, ...args: string[]): Promise<void> => {
  await using child = startChild(postgresProgram(program), args)
  const { code, stderr } = await child.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
}

describePostgres('pg_dump and pg_restore', () => {
  test('what was acknowledged before the dump began is there, in order, and the store counts as restored', async () => {
    const dataDir = await createStoreFolder()
    const dump = join(dataDir, 'diptych.dump')
    await using database = await leaseDatabase()
    const store = await openPostgresStore({ url: database.url, dataDir })
    let acknowledged = 0
    let isWriting = true
    const write = async () => {
      while (isWriting) {
        await store.documents.append([numberedEdit('d', acknowledged + 1)])
        acknowledged += 1
      }
    }
    const writing = write()
    await waitUntil(() => acknowledged > 10)
    const before = acknowledged
    await run('pg_dump', '--format=custom', '--exclude-table-data=search_*', `--file=${dump}`, database.url)
    isWriting = false
    await writing
    await store.close()

    const target = await unusedDatabase()
    await runInDatabase(target.superuserUrl, `create database ${target.name} template template0`)
    await run('pg_restore', '--clean', '--if-exists', '--no-owner', `--dbname=${target.url}`, dump)
    const restored = await openPostgresStore({ url: target.url, dataDir })
    expect(restored.restoredAt).not.toBeNull()
    const texts = textsOf(await restored.documents.load('d', 'body'))
    expect(texts.length).toBeGreaterThanOrEqual(before)
    expect(texts).toEqual(texts.map((_, index) => `${index + 1}`))
    await restored.close()
    await runInDatabase(target.superuserUrl, `drop database ${target.name}`)
  })
})
