/** `npm run store`, and the sentences by which it tells what to do. */
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXIT } from '../../exit-codes.ts'
import { startChild } from '../../fixtures/child-process.ts'
import { PURGED_AT } from '../../retention/remove-document.ts'
import { textEdit } from '../fixtures/text-edits.ts'
import { DESK } from './fixtures/fill-store.ts'
import {
  type MovingFixture,
  contentsOf,
  openStoreForEachTest,
  refusalOf,
  startStoreProgram,
  withStore,
} from './fixtures/moving-fixture.ts'
import { importStore } from './import-store.ts'
import { UsageError } from '../../usage-error.ts'
import { runStoreCommand } from './store-command.ts'

let fixture: MovingFixture
openStoreForEachTest((opened) => (fixture = opened), { short: true })

test('--merge fails when a document differs from the file, and claims no hash', async () => {
  const file = await fixture.exportSource()
  await withStore(fixture.source, ({ documents }) => documents.append([textEdit(DESK, 'more', 'desk')]))
  await using child = startStoreProgram(fixture.source.dataDir, 'import', file, '--merge')
  expect(await child.ended).toMatchObject({
    code: EXIT.failed,
    stdout: `${file} was merged into ${fixture.source.name}: 0 of its 3 documents and desks were added, and read again from there; 3 were there already and stay as they are.
  document ${DESK} differs from the file.
`,
    stderr: expect.stringMatching(/^Not everything was imported: .*\n$/) as string,
  })
})

test('the old file moves away as the refusal says, and the import then has everything', async () => {
  const file = await fixture.exportSource()
  const target = await fixture.locate('a folder')
  await withStore(target, ({ documents }) => documents.append([textEdit(DESK, 'of before', 'desk')]))
  const [, command] = /by (mkdir .*), and import again/.exec(await refusalOf(importStore(target, file)))!
  await using shell = startChild('sh', ['-c', command!], {})
  expect(await shell.ended).toMatchObject({ code: 0 })
  expect((await importStore(target, file)).differing).toEqual([])
  await withStore(target, async ({ restoredAt, db }) => {
    expect(restoredAt).not.toBeNull()
    expect(await contentsOf(db)).toEqual(await withStore(fixture.source, (store) => contentsOf(store.db)))
  })
})

test('the program says what it did, and with which hash', async () => {
  const file = fixture.fileNamed('file')
  await using child = startStoreProgram(fixture.source.dataDir, 'export', file)
  const { code, stdout, stderr } = await child.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [summary] = /3 documents and desks, \d+ rows, sha256 [\da-f]{64}\.$/m.exec(stdout)!

  const run = async (dataDir: string, ...args: string[]) => {
    const lines: string[] = []
    const terminal = { isTTY: true, write: (text: string) => lines.push(text) > 0 }
    const output = { terminal, print: (line: string) => lines.push(line) }
    await runStoreCommand(
      { dataDir: fixture.fileNamed(dataDir), databaseUrl: null, filesDir: null },
      args,
      output,
    )
    return lines.join('\n')
  }
  expect(await run('x', 'check', file)).toBe(`${file} is whole: ${summary}`)
  expect(await run('x', '--help')).toMatch(/^Allowed is one of:\n/)
  expect(await refusalOf(run('x', 'check', fixture.fileNamed('missing')))).toBe(
    `${fixture.fileNamed('missing')} cannot be read: there is no such file.`,
  )
  expect(await refusalOf(run('x', 'import', file, '--all'))).toMatch(
    /^Unknown option '--all'\. Allowed is one of:\n/,
  )
  expect(await run('target', 'import', file)).toMatch(/Importing: 0 documents and desks, 0\.0 of [\d.]+ MiB/)
  expect(await run('restored', 'restore', file)).toContain(summary)
  expect(await run('restored', 'import', file, '--merge')).toContain(
    `${file} was merged into ${fixture.fileNamed('restored/diptych.sqlite')}: 0 of its 3 documents and desks were added, and read again from there; 3 were there already and stay as they are.`,
  )
  expect(await refusalOf(run('target', 'import', file))).toContain('move it away')
  for (const args of [[], ['export'], ['move', file], ['export', file, '--merge'], ['import', file, '--all']])
    await expect(run('x', ...args)).rejects.toThrow(UsageError)
  expect(existsSync(fixture.fileNamed('x'))).toBe(false)
})

test('reindex builds the index of the search anew, says of how many documents, and fails where one is damaged', async () => {
  const { dataDir, name } = fixture.source
  const reindex = async () => {
    await using child = startStoreProgram(dataDir, 'reindex')
    return await child.ended
  }
  const stdout = `The search index of ${name} was built anew: 1 documents.\n`
  const stderr = '1 documents could not be loaded, and are not in it.\n'
  // The snapshot of what is in the trash has no valid checksum.
  expect(await reindex()).toMatchObject({ code: EXIT.failed, stdout, stderr })
  await withStore(fixture.source, ({ db }) =>
    db.updateTable('documents').set({ deleted_at: PURGED_AT }).where('id', '=', 'in-trash').execute(),
  )
  expect(await reindex()).toMatchObject({ code: 0, stdout, stderr: '' })
  expect(existsSync(`${name}-search`)).toBe(true)
})
