/** What is stored when PostgreSQL itself is killed while people write. */
import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startPostgresCluster } from './fixtures/postgres-cluster.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { numberedEdit, numberRange, textsOf } from './fixtures/text-edits.ts'
import { openPostgresStore } from './postgres.ts'

const documents = ['a', 'b', 'c', 'd', 'e']

/** @param kills How often it is killed. */
export const describePostgresKills = (kills: number): void =>
  describePostgres('[D3] a PostgreSQL that is killed and started again while people write', () => {
    test('keeps every acknowledged edit, once, in order, and the store heals by itself', async () => {
      await using cluster = await startPostgresCluster()
      const dataDir = await createStoreFolder()
      const url = cluster.urlOf('postgres')
      const store = await openPostgresStore({
        url,
        dataDir,
        onGiveUp: (error) => expect.unreachable(error.message),
      })
      const acknowledged = new Map<string, number>()
      let failures = 0
      let isOver = false
      let restarts = 0
      let acknowledgedAfterRestart = 0

      /** Offers a call until the store takes it, as a room does. */
      const append = async (document: string, number: number) => {
        const call = [numberedEdit(document, number), numberedEdit(document, number + 1)]
        for (;;) {
          const sequences = await store.documents.append(call).catch(() => null)
          if (sequences !== null) return expect(sequences).toEqual([number, number + 1])
          failures += 1
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      const write = async (document: string) => {
        for (let number = 1; !isOver; number += 2) {
          await append(document, number)
          acknowledged.set(document, number + 1)
          acknowledgedAfterRestart += 1
        }
      }
      const writing = Promise.all(documents.map(write))
      while (restarts < kills) {
        acknowledgedAfterRestart = 0
        await expect
          .poll(() => acknowledgedAfterRestart, { timeout: 30_000, interval: 7 })
          .toBeGreaterThan(30)
        await cluster.kill()
        await cluster.start()
        restarts += 1
      }
      acknowledgedAfterRestart = 0
      await expect.poll(() => acknowledgedAfterRestart, { timeout: 30_000 }).toBeGreaterThan(10)
      isOver = true
      await writing
      expect(failures).toBeGreaterThan(0)
      await expect
        .poll(
          () =>
            store.documents.check().then(
              () => true,
              () => false,
            ),
          { timeout: 10_000 },
        )
        .toBe(true)
      await store.close()

      const again = await openPostgresStore({ url, dataDir })
      expect(again.restoredAt).toBeNull()
      for (const document of documents)
        expect(textsOf(await again.documents.load(document, 'body'))).toEqual(
          numberRange(1, acknowledged.get(document)!).map(String),
        )
      await again.close()
      await rm(dataDir, { recursive: true })
    })
  })
