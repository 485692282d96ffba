/** An index that is lost, damaged or cannot be opened, on SQLite: it comes back, and the server does without. */
import { mkdir, open, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readSearchQuery } from '../../lib/search/search-query.ts'
import { createDocumentLink } from '../fixtures/document-link.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { testConfig } from '../fixtures/test-server.ts'
import { startServer } from '../server.ts'
import { createStoreFolder } from '../store/fixtures/sqlite-fixture.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { LastingSearchIndex, SearchUnavailable } from './lasting-search-index.ts'

const ada = { id: 'user:ada', name: 'Ada', credential: '' }
const page = { filter: 'all', sort: 'best', offset: 0, limit: 10 } as const
const text = {
  document: 'd1',
  title: 'Zebra',
  passages: [{ text: 'one zebra', tokens: ' one zebra ' }],
  preview: 'one zebra',
  links: [],
  bodySequence: 1,
  commentsSequence: 0,
}

async function openFixture() {
  const file = join(await createStoreFolder(), 'store.sqlite')
  const store = await openSqliteStore({ file })
  const row = { id: 'd1', owner: ada.id, created_at: 1, updated_at: 1 }
  await store.db.insertInto('documents').values(row).execute()
  const waits: (() => void)[] = []
  let reopened = 0
  const openLasting = () => {
    const index = new LastingSearchIndex({
      open: (isDamaged) => store.openSearchIndex(isDamaged),
      clock: { after: (_ms, run) => (waits.push(run), () => {}) },
      log: silentLogger,
    })
    index.onReopened = () => (reopened += 1)
    return index
  }
  return {
    file: `${file}-search`,
    openLasting,
    find: async (index: LastingSearchIndex) =>
      (await index.find(ada, readSearchQuery('zebra'), page)).map(({ document }) => document),
    endWait: () => waits.splice(0).forEach((run) => run()),
    reopened: () => reopened,
    close: () => store.close(),
  }
}

/** Overwrites a table’s first page. */
async function damage(file: string, table: string): Promise<void> {
  using db = new DatabaseSync(file)
  const { rootpage } = db.prepare('select rootpage from sqlite_master where name = ?').get(table)!
  const { page_size: size } = db.prepare('pragma page_size').get()!
  await using handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(Number(size), 0xff), 0, Number(size), (Number(rootpage) - 1) * Number(size))
}

test.each(['search_tokens_data', 'search_passages', 'search_texts'])(
  'an index of which %s is damaged is replaced, by the next need or by the next start',
  async (table) => {
    const fixture = await openFixture()
    const before = fixture.openLasting()
    await before.write(text)
    expect(await fixture.find(before)).toEqual(['d1'])
    await before.close()
    await damage(fixture.file, table)
    const index = fixture.openLasting()
    const found = await fixture.find(index).catch((error: unknown) => error)
    if (found instanceof Error) expect(found).toBeInstanceOf(SearchUnavailable)
    else expect(found).toEqual([])
    fixture.endWait()
    expect(await fixture.find(index)).toEqual([])
    expect(fixture.reopened()).toBe(found instanceof Error ? 1 : 0)
    await index.write(text)
    expect(await fixture.find(index)).toEqual(['d1'])
    await index.close()
    await fixture.close()
  },
)

test('an index that cannot be opened is tried again after a wait, and keeps what it has', async () => {
  const fixture = await openFixture()
  await mkdir(fixture.file)
  const index = fixture.openLasting()
  await expect(fixture.find(index)).rejects.toThrow(SearchUnavailable)
  await rmdir(fixture.file)
  await expect(fixture.find(index)).rejects.toThrow(SearchUnavailable)
  fixture.endWait()
  await index.write(text)
  expect(await fixture.find(index)).toEqual(['d1'])
  await index.close()
  await fixture.close()
})

test('a server starts without its index, and says so to whoever searches', async () => {
  const folder = await createStoreFolder()
  await mkdir(join(folder, 'diptych.sqlite-search'))
  const server = await startServer(testConfig(folder), { log: silentLogger, pages: false })
  const { cookie } = await createDocumentLink(server)
  const answer = await fetch(`${server.http}/api/search?q=zebra`, {
    headers: { cookie, origin: server.http },
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30'])
  expect(await answer.json()).toEqual({
    error: {
      code: 'unavailable',
      message: 'The search is not ready at the moment. Try again in a while.',
    },
  })
  await server.drain()
})
