import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { leaseDatabase } from './fixtures/postgres-databases.ts'
import { describePostgres } from './fixtures/postgres-fixture.ts'
import { startPostgresProxy } from './fixtures/postgres-proxy.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import { numberedEdit, textsOf } from './fixtures/text-edits.ts'
import { openPostgresStore } from './postgres.ts'
import { describePostgresKills } from './postgres-kill.contract.ts'
import { StoreError } from './store.ts'

describePostgresKills(20)

describePostgres('[D3] a network that passes nothing on', () => {
  test('is given up after 10 s, and what was under way is stored once when it is back', async () => {
    await using database = await leaseDatabase()
    await using proxy = await startPostgresProxy(database.url)
    const dataDir = await createStoreFolder()
    const { documents, close } = await openPostgresStore({ url: proxy.url, dataDir })
    await documents.append([numberedEdit('d', 1)])
    proxy.freeze()
    const call = [numberedEdit('d', 2)]
    await expect(documents.append(call)).rejects.toThrow(StoreError)
    proxy.thaw()
    await expect.poll(() => documents.append(call).catch(() => null), { timeout: 60_000 }).toEqual([2])
    expect(textsOf(await documents.load('d', 'body'))).toEqual(['1', '2'])
    await close()
    await rm(dataDir, { recursive: true })
  })
})
