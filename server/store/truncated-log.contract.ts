/** What can be read from a write-ahead log that was cut. */
import { copyFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { textEdit, numberedEdit, numberRange, textsOf } from './fixtures/text-edits.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import type { Store } from './document-store.ts'
import { openSqliteStore } from './sqlite.ts'

/**
 * @param runs How many logs are cut, at random places.
 * @param cuts How many places inside a compaction are cut.
 */
export function describeTruncatedLog({ runs, cuts }: { runs: number; cuts: number }): void {
  describe('[D2] a copy whose write-ahead log was cut', () => {
    let folder: string
    beforeEach(async () => {
      folder = await createStoreFolder()
    })

    const readWalBytes = async () => (await stat(join(folder, 'store.sqlite-wal'))).size

    /** Opens without checkpoints, so that the log only grows and its length is where the last commit ends. */
    const openWithoutCheckpoints = async (): Promise<Store> => {
      const store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
      await sql`pragma wal_checkpoint(truncate)`.execute(store.db)
      await sql`pragma wal_autocheckpoint = 0`.execute(store.db)
      return store
    }

    let copyCount = 0
    /** Opens a copy that ends at `bytes`, followed by what a torn write may leave there. */
    const openTruncatedCopy = async (bytes: number, garbage: Uint8Array): Promise<Store> => {
      const copy = join(folder, `copy-${++copyCount}`)
      await mkdir(copy)
      const file = join(copy, 'store.sqlite')
      await copyFile(join(folder, 'store.sqlite'), file)
      await copyFile(join(folder, 'store.sqlite-wal'), `${file}-wal`)
      await truncate(`${file}-wal`, bytes)
      await writeFile(`${file}-wal`, garbage, { flag: 'a' })
      return openSqliteStore({ file })
    }

    test('anywhere after an acknowledged commit loses only later edits', { timeout: 60_000 }, async () => {
      const store = await openWithoutCheckpoints()
      const commitOffsets = [await readWalBytes()]
      for (const number of numberRange(1, 60)) {
        await store.documents.append([numberedEdit('d', number)])
        commitOffsets.push(await readWalBytes())
      }
      const property = fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.nat({ max: 10_000 }).map((tenThousandths) => tenThousandths / 10_000),
        fc.uint8Array({ maxLength: 64 }),
        async (acknowledged, position, garbage) => {
          const laterBytes = commitOffsets.at(-1)! - commitOffsets[acknowledged]!
          const truncated = await openTruncatedCopy(
            commitOffsets[acknowledged]! + Math.floor(laterBytes * position),
            garbage,
          )
          const found = textsOf(await truncated.documents.load('d', 'body')).map(Number)
          await truncated.close()
          expect(found).toEqual(numberRange(1, found.length))
          expect(found.length).toBeGreaterThanOrEqual(acknowledged)
        },
      )
      await fc.assert(property, { numRuns: runs })
      await store.close()
    })

    test(
      '[D5] inside a compaction has all from before it, or all from after it',
      { timeout: 60_000 },
      async () => {
        const store = await openWithoutCheckpoints()
        const before = numberRange(1, 300).map((number) => numberedEdit('d', number))
        const sequences = await store.documents.append(before)
        const start = await readWalBytes()
        await store.documents.compact(
          'd',
          'body',
          textEdit('d', 'snapshot'.repeat(2000)).update,
          sequences[199]!,
        )
        const end = await readWalBytes()

        const foundCounts = new Set<number>()
        for (let position = start; position <= end; position += Math.ceil((end - start) / cuts)) {
          const truncated = await openTruncatedCopy(Math.min(position, end), new Uint8Array())
          foundCounts.add((await truncated.documents.load('d', 'body')).updates.length)
          await truncated.close()
        }
        const complete = await openTruncatedCopy(end, new Uint8Array())
        foundCounts.add((await complete.documents.load('d', 'body')).updates.length)
        await complete.close()
        await store.close()
        expect([...foundCounts]).toEqual([300, 101])
      },
    )
  })
}
