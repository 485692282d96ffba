import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { textEdit } from './fixtures/text-edits.ts'
import { markFileOf, openSqliteStore } from './sqlite.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'

describe('[A5] the epoch of a store', () => {
  let folder: string
  let file: string
  let backup: string
  beforeEach(async () => {
    folder = await createStoreFolder()
    file = join(folder, 'store.sqlite')
    backup = join(folder, 'backup')
  })

  const open = () => openSqliteStore({ file })
  /** Starts and stops the store in order. */
  async function runStore(whileOpen: () => Promise<void> = async () => {}): Promise<number | null> {
    const store = await open()
    const claims = [{ client: 7, principal: 'user:ada' }]
    await store.documents.append([{ ...textEdit('d', 'one'), claims }])
    await whileOpen()
    await store.close()
    return store.restoredAt
  }
  const readRecoverable = async () => {
    const store = await open()
    const loaded = await store.documents.load('d', 'body')
    await store.close()
    return [...(loaded.recoverable ?? [])]
  }

  test('reports no restore when the store only stopped', async () => {
    expect(await runStore()).toBeNull()
    expect(await runStore()).toBeNull()
    expect(await readRecoverable()).toEqual([])
  })

  test.each<[how: string, restore: () => Promise<void>]>([
    ['a backup is copied over it', () => copyFile(backup, file)],
    ['a backup replaces it', async () => {
      await rm(file)
      await copyFile(backup, `${file}-copy`)
      await copyFile(backup, file)
      await rm(`${file}-copy`)
    }],
    ['the mark beside it was removed, as the manual says', () => rm(markFileOf(file))],
  ])('reports a restore when %s, and keeps its time', async (_how, restore) => {
    await runStore()
    await runStore(() => copyFile(file, backup))
    await restore()
    const before = Date.now()
    const first = await open()
    expect(first.restoredAt).toBeGreaterThanOrEqual(before)
    await first.close()
    expect(await readRecoverable()).toEqual([7])
    const second = await open()
    expect(second.restoredAt).toBe(first.restoredAt)
    await second.close()
  })

  test('an owner who writes under the id again has nothing more to recover', async () => {
    await runStore()
    await rm(markFileOf(file))
    expect(await readRecoverable()).toEqual([7])
    const store = await open()
    await store.documents.append([{ ...textEdit('d', 'x'), claims: [{ client: 7, principal: 'user:bob' }] }])
    await store.close()
    expect(await readRecoverable()).toEqual([7])
    await runStore()
    expect(await readRecoverable()).toEqual([])
  })
}) // prettier-ignore
