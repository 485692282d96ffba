/** What the disk holds of a log that was cut. */
import { copyFile, mkdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { edit, numberedEdit, numbers, textsOf } from './fixtures/edits.ts'
import { makeFolder } from './fixtures/sqlite-fixture.ts'
import { openSqliteStore, type SqliteStore } from './sqlite.ts'

/** @param runs So many logs are cut, at places of chance. @param cuts So many places inside a compaction. */
export function describeCutLog({ runs, cuts }: { runs: number; cuts: number }): void {
  describe('[D2] a copy whose write-ahead log was cut', () => {
    let folder: string
    beforeEach(async () => {
      folder = await makeFolder()
    })
    afterEach(() => rm(folder, { recursive: true }))

    const walBytes = async () => (await stat(join(folder, 'store.sqlite-wal'))).size

    /** Without checkpoints, so that the log only grows and its length is where the last commit ends. */
    const openGrowing = async (): Promise<SqliteStore> => {
      const store = await openSqliteStore({ file: join(folder, 'store.sqlite') })
      await sql`pragma wal_checkpoint(truncate)`.execute(store.db)
      await sql`pragma wal_autocheckpoint = 0`.execute(store.db)
      return store
    }

    let copies = 0
    /** The copy ends at `bytes`, or goes on with what a torn write may leave there. */
    const openCut = async (bytes: number, garbage: Uint8Array): Promise<SqliteStore> => {
      const copy = join(folder, `copy-${++copies}`)
      await mkdir(copy)
      const file = join(copy, 'store.sqlite')
      await copyFile(join(folder, 'store.sqlite'), file)
      await copyFile(join(folder, 'store.sqlite-wal'), `${file}-wal`)
      await truncate(`${file}-wal`, bytes)
      await writeFile(`${file}-wal`, garbage, { flag: 'a' })
      return openSqliteStore({ file })
    }

    test('anywhere after an acknowledged commit lost only later edits', { timeout: 60_000 }, async () => {
      const store = await openGrowing()
      const ends = [await walBytes()]
      for (const number of numbers(1, 60)) {
        await store.documents.append([numberedEdit('d', number)])
        ends.push(await walBytes())
      }
      const property = fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.nat({ max: 10_000 }).map((tenThousandths) => tenThousandths / 10_000),
        fc.uint8Array({ maxLength: 64 }),
        async (acknowledged, place, garbage) => {
          const rest = ends.at(-1)! - ends[acknowledged]!
          const cut = await openCut(ends[acknowledged]! + Math.floor(rest * place), garbage)
          const found = textsOf(await cut.documents.load('d', 'body')).map(Number)
          await cut.close()
          expect(found).toEqual(numbers(1, found.length))
          expect(found.length).toBeGreaterThanOrEqual(acknowledged)
        },
      )
      await fc.assert(property, { numRuns: runs })
      await store.close()
    })

    test(
      '[D5] inside a compaction holds all from before it, or all from after it',
      { timeout: 60_000 },
      async () => {
        const store = await openGrowing()
        const before = numbers(1, 300).map((number) => numberedEdit('d', number))
        const sequences = await store.documents.append(before)
        const start = await walBytes()
        await store.documents.compact('d', 'body', edit('d', 'snapshot'.repeat(2000)).update, sequences[199]!)
        const end = await walBytes()

        const seen = new Set<number>()
        for (let place = start; place <= end; place += Math.ceil((end - start) / cuts)) {
          const cut = await openCut(Math.min(place, end), new Uint8Array())
          seen.add((await cut.documents.load('d', 'body')).updates.length)
          await cut.close()
        }
        const whole = await openCut(end, new Uint8Array())
        seen.add((await whole.documents.load('d', 'body')).updates.length)
        await whole.close()
        await store.close()
        expect([...seen]).toEqual([300, 101])
      },
    )
  })
}
