/** What a process that is killed at any moment leaves of the index, on SQLite. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { readSearchQuery } from '../../lib/search/search-query.ts'
import { startChild } from '../fixtures/child-process.ts'
import { createStoreFolder } from '../store/fixtures/sqlite-fixture.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { Search } from './search.ts'
import { runs } from '../../lib/fixtures/runs.ts'

const writer = fileURLToPath(new URL('./fixtures/indexing-writer.ts', import.meta.url))
const ada = { id: 'user:ada', name: 'Ada', credential: '' }

/** Opens the store as a server does, has the index catch up, and reads all of it. */
async function readIndex(file: string, how: 'catch up' | 'rebuild') {
  const store = await openSqliteStore({ file })
  const search = new Search({ index: await store.openSearchIndex(), store: store.documents })
  if (how === 'rebuild') await search.rebuild()
  else await search.indexer.sweep()
  await search.indexer.whenIdle()
  const found: Record<string, string[]> = {}
  for (const word of ['common', ...Array.from({ length: 50 }, (_, at) => `word${at + 1}`)]) {
    const page = { filter: 'all', sort: 'best', offset: 0, limit: 100 } as const
    const rows = await search.find(ada, readSearchQuery(`"${word}"`), page)
    found[word] = rows.map(({ document }) => document).toSorted()
  }
  await search.close()
  await store.close()
  using index = new DatabaseSync(`${file}-search`)
  const rows = index
    .prepare(
      `select document, version, body_sequence, comments_sequence, passage, text, tokens
       from search_texts join search_passages on text_id = id order by document, passage`,
    )
    .all()
  return { found, rows }
}

test('an index whose writer was killed at random moments equals a rebuilt one', async ({ annotate }) => {
  const seed = Date.now() % 1_000_000
  await annotate(`seed ${seed}`)
  const random = createSeededRandom(seed)
  const file = join(await createStoreFolder(), 'store.sqlite')
  for (let kills = 0; kills < runs(2, 6); kills++) {
    await using child = startChild(process.execPath, [writer, file, String(seed + kills)])
    await expect.poll(() => child.stdout()).toContain('edited')
    await sleep(random.between(0, 300))
    child.process.kill('SIGKILL')
    await child.ended
  }
  const caughtUp = await readIndex(file, 'catch up')
  expect(caughtUp.found['common']!.length).toBeGreaterThan(0)
  expect(caughtUp).toEqual(await readIndex(file, 'rebuild'))
})

test('an index that is no database is built anew', async () => {
  const file = join(await createStoreFolder(), 'store.sqlite')
  await (await openSqliteStore({ file })).close()
  await writeFile(`${file}-search`, 'not a database at all, and long enough to be looked at'.repeat(100))
  expect((await readIndex(file, 'catch up')).rows).toEqual([])
})
